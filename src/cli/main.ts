#!/usr/bin/env node
// The program `latchkey`: joins the command line to this process and holds no logic.
import { runCommandLine } from './command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  print: (text) => {
    process.stdout.write(text);
  },
  printError: (text) => {
    process.stderr.write(text);
  },
});
