#!/usr/bin/env node
// Committed, because npm links a bin only if the file exists before `prepare` builds.
import "../dist/main.js";
