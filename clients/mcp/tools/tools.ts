import { compareStocks, lookAtStock, marketToday } from './market-tools.ts';
import { howGoodIsModel, listModels, runModel, whatChanged, whyPicked } from './model-tools.ts';
import {
  findFields,
  howGoodIsScreen,
  myScreens,
  runScreen,
  saveScreen,
  screenChanges,
  simulate,
  tryScreen,
} from './screen-tools.ts';

/** All tools for agents, in the order in which people ask. */
export const TOOLS = [
  marketToday,
  lookAtStock,
  compareStocks,
  listModels,
  runModel,
  whyPicked,
  whatChanged,
  howGoodIsModel,
  findFields,
  tryScreen,
  saveScreen,
  myScreens,
  runScreen,
  screenChanges,
  howGoodIsScreen,
  simulate,
];
