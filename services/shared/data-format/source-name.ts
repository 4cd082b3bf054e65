export const SOURCE_NAME = '^[a-z][a-z0-9-]{0,31}$';
export const SOURCE_NAME_WORDS = 'a lower-case letter, then up to 31 lower-case letters, digits and hyphens';
