package io.rankfeed.spark.sample.select;

import static org.apache.spark.sql.functions.col;

import io.rankfeed.job.FeedSection;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.sample.strata.RankBins;
import io.rankfeed.spark.sample.table.KeyedRows;
import io.rankfeed.spark.sample.table.TableOrder;
import io.rankfeed.spark.source.ListFiles;
import org.apache.spark.sql.Column;

/**
 * The rule that decides which rows of a stratum are in its pool, and their positions in its list.
 *
 * @param chooses a row's position in the order whose first rows are the pool
 * @param shift low bits of that position which a row's bin leaves out
 * @param ties which of two rows at one position goes first
 * @param lists whether the lists have that order too; else they have the table's
 */
public record FeedOrder(Column chooses, int shift, Ties ties, Lists lists) {
    enum Ties {
        BY_KEY,
        BY_ADDRESS
    }

    /** The number of rows of a whole table up to which sorting them in one task is faster than counting them by bins. */
    private static final long UNCOUNTED_ROWS = 1 << 17;

    /** The order of the lists. */
    enum Lists {
        AS_CHOSEN,
        AS_TABLE
    }

    /** @param tableRows rows of the prepared table */
    public static FeedOrder of(FeedSection section, long tableRows) {
        if (section.list().isPresent()) {
            return new FeedOrder(col(ListFiles.ENTRY), RankBins.ADDRESS_SHIFT, Ties.BY_KEY, Lists.AS_CHOSEN);
        }
        if (section.kind() == FeedSection.Kind.SEQUENTIAL && section.orderBy().isEmpty()) {
            return new FeedOrder(TableOrder.position(), RankBins.ADDRESS_SHIFT, Ties.BY_ADDRESS, Lists.AS_CHOSEN);
        }
        if (section.orderBy().isPresent()) {
            Column value = Columns.named(section.orderBy().get()).cast("long");
            return new FeedOrder(value, RankBins.ADDRESS_SHIFT, Ties.BY_KEY, Lists.AS_CHOSEN);
        }
        return new FeedOrder(
                KeyedRows.priority(section.seedOfLists()),
                section.isOfWholeTable() && tableRows <= UNCOUNTED_ROWS ? Long.SIZE : RankBins.priorityShift(tableRows),
                Ties.BY_KEY,
                section.order() == RowOrder.PLANNED ? Lists.AS_TABLE : Lists.AS_CHOSEN);
    }

    /** A row's bin in the order that chooses. */
    public Column bin() {
        return RankBins.bin(chooses, shift);
    }
}
