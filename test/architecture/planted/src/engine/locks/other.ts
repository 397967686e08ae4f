// A file of the lower folder.
export const lock = 1;
