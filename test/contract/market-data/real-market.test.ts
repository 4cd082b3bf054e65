/** Answers on real stocks, on one fleet that imports the market of each file in turn. Each file registers its tests. */
import './real/exchange-figures.ts';
import './real/last-day.ts';
import './real/brokers.ts';
