import { initial } from './004-initial.ts';
import { expiryNotices } from './005-expiry-notices.ts';
import { sessions } from './006-sessions.ts';
import { secretsOfSessions } from './007-secrets-of-sessions.ts';

export const migrations = {
  '004_initial': initial,
  '005_expiry_notices': expiryNotices,
  '006_sessions': sessions,
  '007_secrets_of_sessions': secretsOfSessions,
};

/** Every table that they create. A backup leaves out a table that is missing here. */
export const tables = ['api_key', 'key_action', 'key_secret', 'outbox', 'session'];
