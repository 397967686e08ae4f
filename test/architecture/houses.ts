// The houses of the project, as folders from its root: the plugin, and the two programs for other people beside it.

/** Sources of modules: the layer test holds them to the tables of `modules.ts`. */
export const MODULE_FOLDERS = ['src', 'simulator/src', 'relay/src'] as const;

/** Everything that is built into the package. */
export const SOURCE_FOLDERS = [...MODULE_FOLDERS, 'simulator/page', 'web'] as const;

export const TEST_FOLDERS = ['test', 'simulator/test', 'relay/test'] as const;
