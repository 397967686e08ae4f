// Stops with one clear line where the Node that runs is too old; plain JavaScript, because an old Node must read it.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [major, minor] = process.versions.node.split('.').map(Number);

// Every alternative of `engines.node` is a caret range (`^24.0.0`): the same major, at least that minor.
const fits = engines.node.split('||').some((range) => {
  const [wantedMajor, wantedMinor] = range.trim().replace('^', '').split('.').map(Number);
  return major === wantedMajor && minor >= wantedMinor;
});

if (!fits) {
  console.error(
    `This needs Node ${engines.node} and runs on ${process.versions.node}: ` +
      'run `npm ci` without `--ignore-scripts`, which brings a fitting Node along, or install one.',
  );
  process.exit(1);
}
