#!/usr/bin/env node
// npm links a command only to a file that exists at install time, and dist/ is built after that.
import '../dist/main.js';
