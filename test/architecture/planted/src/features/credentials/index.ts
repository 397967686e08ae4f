// A feature.
export const feature = 'credentials';
