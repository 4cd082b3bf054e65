import { initial } from './021-initial.ts';

export const migrations = [initial];
