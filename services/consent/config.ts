import { str } from 'envalid';
import {
  trustedCallerSettings,
  grpcSettings,
  operatorSettings,
  processSettings,
  postgresSettings,
} from '#platform/configuration/settings.ts';

export const settings = {
  ...processSettings,
  ...grpcSettings,
  ...trustedCallerSettings,
  ...operatorSettings,
  ...postgresSettings,
  CONSENT_DOCUMENTS: str({
    default: '',
    desc: 'folder of your own disclaimers, with the same layout as services/consent/documents; when empty, that folder is read',
  }),
};
