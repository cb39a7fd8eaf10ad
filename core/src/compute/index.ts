export { type Engine, engine, type FloatArray, registerEngine, useEngine } from "./engine.ts";
