/** The advisory lock that a running backup shares. Whoever removes what a backup may be reading takes it alone. */
export const BACKUP_LOCK = 5_817_263;
