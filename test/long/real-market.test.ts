/** Answers on real stocks, on one fleet that imports the market of each file in turn. Each file registers its tests. */
import './real-market/exchange-figures.ts';
import './real-market/last-day.ts';
import './real-market/brokers.ts';
