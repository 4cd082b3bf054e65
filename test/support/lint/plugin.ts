import { definePlugin } from '@oxlint/plugins';
import { measuredDurations } from './measured-durations.ts';

/** The project's own rules, for `oxlint.config.ts`. */
export default definePlugin({ meta: { name: 'saring' }, rules: { 'measured-durations': measuredDurations } });
