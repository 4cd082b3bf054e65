export { named, nameOf } from '#shared/schema.ts';
