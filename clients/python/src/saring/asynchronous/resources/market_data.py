"""Market data. Tickers may be in upper or lower case."""

from collections.abc import Sequence
from typing import Unpack

from saring.asynchronous.paged import AsyncPaged
from saring.asynchronous.resources.resource import AsyncResource
from saring.gen import types
from saring.request import fields_of, given


class AsyncMarketData(AsyncResource):
    async def quotes(self, tickers: Sequence[str]) -> types.Quotes:
        """Latest quotes by ticker, for at most 50 tickers. A ticker without a trade on the latest
        day is left out.
        """
        return await self._rest.get("/api/v1/data/quotes", query={"tickers": ",".join(tickers)})

    async def stock(self, ticker: str, **query: Unpack[types.GetStockInput]) -> types.Snapshot:
        """Bars and computed features of one stock."""
        return await self._rest.get("/api/v1/data/stocks/{ticker}", query=query, ticker=ticker)

    def actions(
        self, ticker: str, **query: Unpack[types.ListStockActionsInput]
    ) -> AsyncPaged[types.CorporateActions, types.CorporateAction]:
        """Splits, rights, dividends and other corporate actions of one stock, latest day first.
        `limit` is the size of a page.
        """
        return AsyncPaged(
            self._rest,
            "/api/v1/data/stocks/{ticker}/actions",
            "actions",
            fields_of(query),
            ticker=ticker,
        )

    async def universes(self, **query: Unpack[types.ListUniversesInput]) -> types.Universes:
        """The indices and other lists of stocks that are known on a day. `universe:LQ45` may stand
        in every list of tickers.
        """
        return await self._rest.get("/api/v1/data/universes", query=query)

    def stocks(
        self, **query: Unpack[types.ListStocksInput]
    ) -> AsyncPaged[types.Stocks, types.ListedStock]:
        """The stocks of the dataset: all of them, or those that a search and filters find.
        `limit` is the size of a page.
        """
        return AsyncPaged(self._rest, "/api/v1/data/stocks", "stocks", query)

    def bars(
        self, ticker: str, **query: Unpack[types.ListStockBarsInput]
    ) -> AsyncPaged[types.Bars, types.PeriodBar]:
        """Daily, weekly or monthly bars of one stock, oldest first. `limit` is the size of a page.
        CSV comes by `rest.bytes`.
        """
        return AsyncPaged(
            self._rest,
            "/api/v1/data/stocks/{ticker}/bars",
            "bars",
            fields_of(query),
            ticker=ticker,
        )

    def bars_of_day(
        self, **query: Unpack[types.ListBarsOfDayInput]
    ) -> AsyncPaged[types.BarsOfDay, types.StockBar]:
        """The bars of all stocks on one day. `limit` is the size of a page."""
        return AsyncPaged(self._rest, "/api/v1/data/bars", "bars", query)

    async def compare(
        self, tickers: Sequence[str], *, days: int | None = None
    ) -> types.Comparison:
        """At most 10 stocks side by side, over so many trading days."""
        body = {"tickers": list(tickers), **given(days=days)}
        return await self._rest.post("/api/v1/data/compare", body=body)

    async def overview(self) -> types.MarketOverview:
        """Regime, breadth and movers of the market."""
        return await self._rest.get("/api/v1/data/market-overview")

    async def brokers(
        self, ticker: str, **query: Unpack[types.GetStockBrokersInput]
    ) -> types.Brokers:
        """Who bought and sold a stock on one day."""
        return await self._rest.get(
            "/api/v1/data/stocks/{ticker}/brokers", query=query, ticker=ticker
        )

    async def brokers_window(
        self, ticker: str, **query: Unpack[types.GetStockBrokerWindowInput]
    ) -> types.BrokerWindow:
        """The same over several days."""
        return await self._rest.get(
            "/api/v1/data/stocks/{ticker}/brokers/window", query=query, ticker=ticker
        )

    async def broker_timeline(
        self, ticker: str, broker: str, **query: Unpack[types.GetBrokerTimelineInput]
    ) -> types.BrokerTimeline:
        """What one broker traded in one stock, day by day."""
        return await self._rest.get(
            "/api/v1/data/stocks/{ticker}/brokers/{broker_code}/timeline",
            query=query,
            ticker=ticker,
            broker_code=broker,
        )

    async def broker_stocks(
        self, broker: str, **query: Unpack[types.ListBrokerStocksInput]
    ) -> types.BrokerStocks:
        """The stocks that a broker bought or sold most, by net value."""
        return await self._rest.get(
            "/api/v1/data/brokers/{broker_code}/stocks", query=query, broker_code=broker
        )

    async def flows(self, **query: Unpack[types.ListFlowsInput]) -> types.Flows:
        """The market ranked by the net purchases of foreigners, retail or local institutions."""
        return await self._rest.get("/api/v1/data/flows", query=query)

    async def nego(
        self, ticker: str, **query: Unpack[types.GetStockNegoInput]
    ) -> types.NegoHistory:
        """Negotiated trades of one stock, day by day."""
        return await self._rest.get(
            "/api/v1/data/stocks/{ticker}/nego", query=query, ticker=ticker
        )

    async def nego_brokers(
        self, ticker: str, **query: Unpack[types.GetStockNegoBrokersInput]
    ) -> types.NegoBrokers:
        """The brokers in the negotiated trades of a stock on one day."""
        return await self._rest.get(
            "/api/v1/data/stocks/{ticker}/nego/brokers", query=query, ticker=ticker
        )

    async def nego_scan(self, **query: Unpack[types.ScanNegoInput]) -> types.NegoScan:
        """The stocks with notable negotiated trades of one day."""
        return await self._rest.get("/api/v1/data/nego", query=query)

    async def nego_scan_window(
        self, **query: Unpack[types.ScanNegoWindowInput]
    ) -> types.NegoWindow:
        """The same over several days."""
        return await self._rest.get("/api/v1/data/nego/window", query=query)

    async def turning_point(
        self, ticker: str, **query: Unpack[types.GetTurningPointInput]
    ) -> types.TurningPointAnswer:
        """Signs of a turning point in one stock."""
        return await self._rest.get(
            "/api/v1/data/stocks/{ticker}/turning-point", query=query, ticker=ticker
        )

    async def turning_points(
        self, tickers: Sequence[str], *, lookback: int | None = None
    ) -> types.TurningPoints:
        """The same for at most 50 stocks, cheaper than one request each."""
        body = {"tickers": list(tickers), **given(lookback=lookback)}
        return await self._rest.post("/api/v1/data/turning-points", body=body)
