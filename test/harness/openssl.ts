// Whether the program openssl is there, with which tests and `latchkey relay cluster` make certificates.
import { spawnSync } from 'node:child_process';

export const hasOpenssl = spawnSync('openssl', ['version'], { stdio: 'ignore' }).status === 0;
