import { apiKey } from './001-api-key.ts';
import { rotationAndAudit } from './002-rotation-and-audit.ts';

export const migrations = { '001_api_key': apiKey, '002_rotation_and_audit': rotationAndAudit };
