// The heartbeat of every event channel, by which a page detects a broken connection.

/** A channel beats this often, in milliseconds. */
export const HEARTBEAT_MS = 2_000;

/**
 * After this long without a beat, in milliseconds, the page takes the channel for broken: early enough that it says so
 * within 5 s (faults, row 96).
 */
export const SILENCE_MS = 4_500;

/** The name of the beat, as an event of a stream and of a window. */
export const HEARTBEAT_EVENT = 'heartbeat';
