package io.rankfeed.job;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.OneOf;
import io.rankfeed.schema.config.Range;
import io.rankfeed.schema.config.WrittenShort;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The query and the options that make the prepared table of the sources.
 *
 * @param sql one query over the views of the sources; or
 * @param select its short form; or
 * @param rewrite that the only source is the prepared table as it is; {@code prepare: none} says no more than this
 * @param key the columns that identify a row; empty where its address in the source does
 * @param block size that no row group, with its footer, exceeds
 * @param compression of the Parquet pages
 * @param onOversizedRow what becomes of a row that no block holds
 * @param clusterBy columns that rows are sorted by, within each unit of work
 * @param tensors dtype and shape of list columns by name, where they differ from what their type says
 * @param tokenizers by the names that the query's functions call them
 * @param labels lists of labels, by the names that {@code rf_label} calls them
 * @param images how images are decoded
 * @param onBadRow what becomes of rows that cannot be taken
 * @param quarantineAtMost maximum share of bad rows that are dropped or quarantined, from 0 to 1
 * @param nonFinite whether a row may have numbers that are none, or infinite
 * @param statistics what is measured of the table
 * @param pack how rows become sequences of tokens; empty: they stay rows
 * @param petastorm whether the result is a Petastorm dataset too
 * @param delta whether the result is a Delta table too
 * @param register {@code db.table} to create over the result
 */
@OneOf({"sql", "select", "rewrite"})
@WrittenShort("rewrite")
public record PrepareSection(
        Optional<String> sql,
        Optional<SelectSection> select,
        Optional<Rewrite> rewrite,
        @Default("[]") List<String> key,

        @Default("128 MiB") @Range(min = 64 << 10, max = 2L << 30)
        ByteSize block,

        @Default("zstd") Compression compression,
        @Default("error") OversizedRow onOversizedRow,
        @Default("[]") List<String> clusterBy,
        @Default("{}") Map<String, TensorSection> tensors,
        @Default("{}") Map<String, TokenizerSection> tokenizers,
        @Default("{}") Map<String, LabelsSection> labels,
        Optional<ImagesSection> images,
        @Default("fail") OnBadRow onBadRow,
        @Default("0.01") BigDecimal quarantineAtMost,
        @Default("allow") NonFinite nonFinite,
        Optional<StatisticsSection> statistics,
        Optional<PackSection> pack,
        @Default("false") boolean petastorm,
        @Default("false") boolean delta,
        Optional<String> register) {
    private static final Pattern TABLE = Pattern.compile("[A-Za-z0-9_]+\\.[A-Za-z0-9_]+");

    private static final long DEFAULT_BLOCK_BYTES = 128L << 20;

    /** A block is a multiple of it. */
    public static final int CHECKSUM_CHUNK_BYTES = 512;

    /** The compression of Parquet pages; the lower-case name is the value in the job file. */
    public enum Compression {
        ZSTD,
        SNAPPY,
        NONE
    }

    /** The lower-case name is the value in the job file. */
    public enum OversizedRow {
        /** The job fails with an error that names the row's key. */
        ERROR,
        /** The row has a file of its own, which is longer than a block. */
        KEEP
    }

    /** Whether the sources' rows are written again. */
    public enum Rewrite {
        /** The rows stay in the source's files. */
        NONE
    }

    /** The choice for a bad row. */
    public enum OnBadRow {
        /** The job ends. */
        FAIL,
        /** The row is counted. */
        DROP,
        /** The row is counted, and kept next to the table. */
        QUARANTINE
    }

    /** Whether NaN and infinities are numbers like others. */
    public enum NonFinite {
        ALLOW,
        REFUSE
    }

    public PrepareSection {
        if (block.bytes() % CHECKSUM_CHUNK_BYTES != 0) {
            throw new BadValue(
                    "block", block + " is not a multiple of " + CHECKSUM_CHUNK_BYTES + " B, as HDFS requires");
        }
        if (quarantineAtMost.signum() < 0 || quarantineAtMost.compareTo(BigDecimal.ONE) > 0) {
            throw new BadValue("quarantine-at-most", quarantineAtMost + " is not a share; it must be from 0 to 1");
        }
        if (rewrite.isPresent()) {
            refuseUnless(block.bytes() == DEFAULT_BLOCK_BYTES, "block");
            refuseUnless(compression == Compression.ZSTD, "compression");
            refuseUnless(onOversizedRow == OversizedRow.ERROR, "on-oversized-row");
            refuseUnless(clusterBy.isEmpty(), "cluster-by");
            refuseUnless(tokenizers.isEmpty(), "tokenizers");
            refuseUnless(labels.isEmpty(), "labels");
            refuseUnless(images.isEmpty(), "images");
            refuseUnless(onBadRow == OnBadRow.FAIL, "on-bad-row");
            refuseUnless(nonFinite == NonFinite.ALLOW, "non-finite");
            refuseUnless(statistics.isEmpty(), "statistics");
            refuseUnless(pack.isEmpty(), "pack");
            refuseUnless(!petastorm, "petastorm");
            refuseUnless(!delta, "delta");
            refuseUnless(register.isEmpty(), "register");
        }
        if (onBadRow != OnBadRow.FAIL && tensors.values().stream().anyMatch(TensorSection::isAuto)) {
            throw new BadValue(
                    "on-bad-row",
                    "leaves some rows out, but dtype: auto under tensors reads every row before any is written; write"
                            + " the dtype");
        }
        if (pack.isPresent() && onBadRow != OnBadRow.FAIL) {
            throw new BadValue(
                    "on-bad-row",
                    "cannot be combined with pack; leave bad values out in the job's SQL, and correct or remove"
                            + " lines that are not JSON in their file");
        }
        if (register.isPresent() && !TABLE.matcher(register.get()).matches()) {
            throw new BadValue("register", "'" + register.get() + "' must be written db.table");
        }
    }

    /** The columns that identify a row of the prepared table: those of the first row of a sequence, where rows are packed. */
    public List<String> rowKey() {
        return pack.isPresent() ? key.stream().map(PackSection::first).toList() : key;
    }

    /** The section of a table of sequences as if the query gave them. */
    public PrepareSection ofSequences(Map<String, TensorSection> sequenceTensors) {
        return new PrepareSection(
                sql,
                select,
                rewrite,
                rowKey(),
                block,
                compression,
                onOversizedRow,
                clusterBy,
                sequenceTensors,
                tokenizers,
                labels,
                images,
                onBadRow,
                quarantineAtMost,
                nonFinite,
                statistics,
                Optional.empty(),
                petastorm,
                delta,
                register);
    }

    private static void refuseUnless(boolean absent, String key) {
        if (!absent) {
            throw new BadValue(
                    key, "is for a table that is written, and rewrite: none writes none; leave one of them out");
        }
    }
}
