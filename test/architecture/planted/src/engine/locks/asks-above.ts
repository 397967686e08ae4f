// A folder that imports one above it: the table of folders has to complain.
import { pace } from '../polling/asked-below.ts';

export const lock = pace;
