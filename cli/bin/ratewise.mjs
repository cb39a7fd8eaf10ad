#!/usr/bin/env node
// Committed, because npm links a bin only if the file exists before `prepare` builds.
import "./check-node.cjs";

// Not a static import: those are read before anything runs, and an old Node cannot read them.
import("../dist/main.js");
