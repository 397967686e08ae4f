// Languages in which a guest can be written to.

export const GUEST_LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'ja', 'nl'] as const;

export type GuestLanguage = (typeof GUEST_LANGUAGES)[number];
