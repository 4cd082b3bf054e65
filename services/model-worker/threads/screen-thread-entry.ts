/** A thread that runs models, so that heavy work never delays a heartbeat of the main thread. */
import { loadScreens } from '#models/registry.ts';
import { serveThread } from './serve-thread.ts';

serveThread(await loadScreens());
