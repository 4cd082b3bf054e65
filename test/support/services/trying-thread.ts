/** A screen thread with the models of trying-screens.ts, whose behaviour a ScreenThread must cope with. */
import { serveThread } from '#services/model-worker/threads/serve-thread.ts';
import { tryingScreen } from './trying-screens.ts';

serveThread(tryingScreen);
