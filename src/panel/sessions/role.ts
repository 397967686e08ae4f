// What a login to the dashboard may do. The table of operations says it for each: `operations/role-table.ts`.

/** `all`: whatever a page may; `codes`: guests and codes alone; `look`: see, without digits, and change nothing. */
export const ROLES = ['all', 'codes', 'look'] as const;

export type Role = (typeof ROLES)[number];
