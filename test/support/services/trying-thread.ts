/** A screen thread whose models do what a Screener must cope with; see trying-screens.ts. */
import { serveThread } from '#services/model-worker/serve-thread.ts';
import { tryingScreen } from './trying-screens.ts';

serveThread(tryingScreen);
