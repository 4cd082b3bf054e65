/** The thread in which models run, so that nothing heavy ever delays a heartbeat of the main thread. */
import { loadScreens } from '#screens/registry.ts';
import { serveThread } from './serve-thread.ts';

serveThread(await loadScreens());
