package io.rankfeed.spark.prepare.write;

import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.job.PrepareSection;
import io.rankfeed.job.PrepareSection.Compression;
import io.rankfeed.job.PrepareSection.OnBadRow;
import io.rankfeed.job.PrepareSection.OversizedRow;
import io.rankfeed.spark.engine.RowSteps;
import io.rankfeed.spark.prepare.pack.RowLayout;
import io.rankfeed.spark.prepare.pack.SourceIndex;
import io.rankfeed.spark.prepare.pack.Units;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A table to be written, as each task needs to know it.
 *
 * @param layout of the packed rows
 * @param places names rows of the source in messages
 * @param folder of the table
 * @param format of its files
 * @param units in which its rows arrive; the unit after them has the bad rows
 * @param content gives packed rows as JSON; null if a bad row ends the job
 * @param statistics what is measured of the rows
 * @param keyCheck whether the results contain the ids of rows
 */
public record TableSpec(
        RowLayout layout,
        SourceIndex places,
        ArtifactAttempt folder,
        Format format,
        Units units,
        @Nullable RowSteps content,
        Statistics statistics,
        KeyCheck keyCheck)
        implements Serializable {
    /**
     * The format of the files.
     *
     * @param blockBytes that no row group may cross
     * @param onBadRow whether bad rows are kept
     * @param isClustered whether rows must stay in the order of their unit
     */
    public record Format(
            long blockBytes,
            Compression compression,
            OversizedRow onOversizedRow,
            OnBadRow onBadRow,
            boolean isClustered)
            implements Serializable {
        public static Format of(PrepareSection section) {
            return new Format(
                    section.block().bytes(),
                    section.compression(),
                    section.onOversizedRow(),
                    section.onBadRow(),
                    !section.clusterBy().isEmpty());
        }
    }

    /** Whether rows that fill no block go to a scratch file, to be merged with those of other units. */
    boolean mergesTails() {
        return units.count() > 1 && (!format.isClustered() || units instanceof Units.Hashes);
    }
}
