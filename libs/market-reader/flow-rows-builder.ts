import {
  PACKINGS,
  type BrokerColumn,
  type FlowBrokers,
  type FlowRowColumns,
} from '#quant/broker-rows/broker-flow.ts';
import { PackedColumnBuilder } from '#quant/broker-rows/packed-column.ts';
import { sharedColumn } from '#quant/panel/panel-columns.ts';

/** One of the 256 numbers of a byte stands for brokers that are not among the codes. */
const MAX_CODES_IN_BYTE = 255;

/** The columns of a known number of rows, to be filled in any order. */
export class FlowRowsBuilder {
  readonly broker: BrokerColumn;
  readonly numbers: Readonly<Record<keyof typeof PACKINGS, PackedColumnBuilder>>;

  constructor(rowCount: number, { codes }: FlowBrokers) {
    this.broker = sharedColumn<BrokerColumn>(
      codes.length <= MAX_CODES_IN_BYTE ? Uint8Array : Uint16Array,
      rowCount,
    );
    this.numbers = {
      buy_shares: new PackedColumnBuilder(PACKINGS.buy_shares, rowCount),
      sell_shares: new PackedColumnBuilder(PACKINGS.sell_shares, rowCount),
      buy_value: new PackedColumnBuilder(PACKINGS.buy_value, rowCount),
      sell_value: new PackedColumnBuilder(PACKINGS.sell_value, rowCount),
    };
  }

  finish(): FlowRowColumns {
    const { buy_shares, sell_shares, buy_value, sell_value } = this.numbers;
    return {
      broker: this.broker,
      buy_shares: buy_shares.finish(),
      sell_shares: sell_shares.finish(),
      buy_value: buy_value.finish(),
      sell_value: sell_value.finish(),
    };
  }
}
