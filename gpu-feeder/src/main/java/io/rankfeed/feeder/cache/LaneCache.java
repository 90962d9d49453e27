package io.rankfeed.feeder.cache;

import io.rankfeed.feeder.external.ExternalFiles;
import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.schema.cache.CacheColumn;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The mapped lanes of one feed, of all its members. Record batches of all lanes are numbered together as <em>blocks</em>: a row of a
 * member's lane is in block {@code firstBlock(member, lane) + ordinal div batchRows(member)}, row {@code ordinal mod batchRows(member)}.
 * A feed of a version has one member. Safe for use by several threads; close it only when none of them gathers any more.
 */
public final class LaneCache implements AutoCloseable {
    private final Arena arena;
    private final FedColumns.Kind kind;
    private final int[] batchRows;
    /** By member, the first block of a lane, at lane + 1 (the shared file has index 0); −1 if the file is not mapped. */
    private final int[][] firstBlock;

    private final int[] memberOfStratum;

    private final Map<String, MappedColumn> columns;
    private final MappedFile[] fileOfBlock;

    private final BlockChecks checks;
    /** By the folder of a version over a dataset. */
    private final Map<Path, ExternalFiles> external;

    private boolean verifies;

    LaneCache(
            Arena arena,
            FedColumns.Kind kind,
            int[] batchRows,
            int[][] firstBlock,
            int[] memberOfStratum,
            Map<String, MappedColumn> columns,
            MappedFile[] fileOfBlock,
            BlockChecks checks,
            Map<Path, ExternalFiles> external) {
        this.arena = arena;
        this.kind = kind;
        this.batchRows = batchRows;
        this.firstBlock = firstBlock;
        this.memberOfStratum = memberOfStratum;
        this.columns = Map.copyOf(columns);
        this.fileOfBlock = fileOfBlock;
        this.checks = checks;
        this.external = Map.copyOf(external);
    }

    /**
     * Decides when blocks are compared with their checksums; call this before a row is gathered. Without a call, no
     * block is compared.
     *
     * @throws CorruptDataException if one is corrupted and all are checked now
     */
    public void verify(Verification when) {
        if (when == Verification.START) {
            IntStream.range(0, fileOfBlock.length).parallel().forEach(this::requireReadable);
        }
        verifies = when != Verification.OFF;
    }

    /**
     * Checks blocks before they are read for the first time.
     *
     * @param block block of each row that is read
     * @param rows number of rows
     * @throws CorruptDataException naming file and record batch of the first that is corrupted
     */
    public void require(int[] block, int rows) {
        if (!isChecked()) {
            for (int i = 0; i < rows; i++) {
                checks.require(block[i]);
            }
        }
    }

    /** Whether {@link #require} has nothing left to check. */
    public boolean isChecked() {
        return !verifies || checks.areDone();
    }

    /** Checks one block ahead of its use, in file order; false if there is none left. For a thread in the background. */
    public boolean verifyAhead() {
        try {
            return verifies && checks.checkNext();
        } catch (InternalError e) {
            // A page can no longer be read: the rank that needs it reports it.
            return false;
        }
    }

    /**
     * Checks one sound block again, in file order. Returns false after the last one; the next call begins with the
     * first. Only one background thread may call it.
     *
     * @param pause runs after each chunk of at most 256 KiB
     */
    public boolean verifyAgain(Runnable pause) {
        try {
            return verifies && checks.checkNextAgain(pause);
        } catch (InternalError e) {
            // A page can no longer be read: the rank that needs it reports it. The pass continues with the next block.
            return true;
        }
    }

    private void requireReadable(int block) {
        try {
            checks.require(block);
        } catch (InternalError e) {
            throw lostPages(e);
        }
    }

    /** The number of members of a mixture; 0 where the feed is one of a version. */
    public int mixedMembers() {
        return kind == FedColumns.Kind.MIXTURE ? batchRows.length : 0;
    }

    /** The member that the rows of a stratum of the feed are from. */
    public int member(int stratum) {
        return memberOfStratum.length == 0 ? 0 : memberOfStratum[stratum];
    }

    /** The number of rows of every record batch of a member except the last one of a file. */
    public int batchRows(int member) {
        return batchRows[member];
    }

    /** The block of the first row of a member's lane, or of its shared file for {@link LaneLayout#SHARED}. */
    public int firstBlock(int member, int lane) {
        int block = firstBlock[member][lane + 1];
        if (block < 0) {
            throw new IllegalStateException("lane " + lane + " is not mapped");
        }
        return block;
    }

    /** A column by its name in the file: {@code _row_id}, a field, or {@code <field>.valid}; in mixtures also {@code _member}. */
    public MappedColumn column(String name) {
        MappedColumn column = columns.get(name);
        if (column == null) {
            throw new IllegalArgumentException("no column '" + name + "' in the cache");
        }
        return column;
    }

    /**
     * The references that blocks have in place of a column's values; null if all blocks have values.
     *
     * @param fixedBytes length of each value; 0 if they differ in length
     */
    public @Nullable References references(String name, long fixedBytes) {
        MappedColumn column = column(name);
        return column.hasReferences()
                ? new References(
                        name,
                        this,
                        column,
                        column(CacheColumn.SOURCE.name()),
                        columns.get(name + CacheColumn.VALID_SUFFIX),
                        fixedBytes)
                : null;
    }

    /** The files that the lanes of a version refer to; empty if they have only values. */
    public Optional<ExternalFiles> external(OpenVersion version) {
        return Optional.ofNullable(external.get(version.folder()));
    }

    /** The file that a block is in. */
    public Path file(int block) {
        return fileOfBlock[block].path();
    }

    /** Returns the exception for damage that was found in the file of a block. */
    public CorruptDataException damage(int block, long offset, String what) {
        return new CorruptDataException(file(block).toString(), offset, what);
    }

    /** Explains a page that could not be read: names the mapped files that are no longer as long as they were. */
    public CorruptDataException lostPages(InternalError cause) {
        MappedFile before = null;
        for (MappedFile file : fileOfBlock) {
            if (!file.equals(before) && sizeNow(file.path()) < file.bytes().byteSize()) {
                return new CorruptDataException(
                        file.path().toString(),
                        sizeNow(file.path()),
                        "the file was truncated from " + file.bytes().byteSize()
                                + " bytes while it was mapped; sync the version again");
            }
            before = file;
        }
        Optional<CorruptDataException> truncated = external.values().stream()
                .flatMap(files -> files.truncated().stream())
                .findFirst();
        if (truncated.isPresent()) {
            return truncated.get();
        }
        return new CorruptDataException(
                fileOfBlock[0].path().toString(), "a page of a mapped lane could not be read: check the disk", cause);
    }

    /** Unmaps the files. A gather that still runs then fails with an {@link IllegalStateException}. */
    @Override
    public void close() {
        checks.close();
        arena.close();
    }

    private static long sizeNow(Path path) {
        try {
            return Files.size(path);
        } catch (IOException e) {
            return 0;
        }
    }
}
