import { apiKey } from './001-api-key.ts';
import { rotationAndAudit } from './002-rotation-and-audit.ts';
import { pepperId } from './003-pepper-id.ts';
import { auditRetention } from './004-audit-retention.ts';

export const migrations = {
  '001_api_key': apiKey,
  '002_rotation_and_audit': rotationAndAudit,
  '003_pepper_id': pepperId,
  '004_audit_retention': auditRetention,
};

/** Every table that they create. A backup leaves out a table that is missing here. */
export const tables = ['api_key', 'key_action', 'key_secret'];
