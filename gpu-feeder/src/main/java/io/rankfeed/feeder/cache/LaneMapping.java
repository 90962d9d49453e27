package io.rankfeed.feeder.cache;

import io.rankfeed.feeder.external.ExternalFiles;
import io.rankfeed.schema.cache.CacheBatch;
import io.rankfeed.schema.cache.CacheColumn;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.TrainFeed;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Opens, checks and maps the files of the lanes of a feed's members, one after another, into one {@link LaneCache}. */
final class LaneMapping {
    private final List<MemberLanes> members;
    private final FedColumns fed;
    private final Arena arena;
    private final List<CacheColumn> columns;
    private final int[][] numbers;
    private final MappedFile[] fileOfBlock;
    private final CacheBatch[] batchOfBlock;
    /** The memory of each block, for the columns that all members have. */
    private final MemorySegment[] bytesOfBlock;

    private final MemorySegment[][] bytes;
    private final long[][] offsets;
    private final long[][] itemOffsets;
    private final long[][] itemCounts;
    private final long[][] values;
    private final long[][] valuesBytes;
    private final @Nullable ReferencedFiles[][] referenced;
    /** By the folder of a version over a dataset. */
    private final Map<Path, ExternalFiles> external = new HashMap<>();

    private final Map<String, Path> folders;
    private int mappable;
    private int blocks;

    private LaneMapping(
            List<MemberLanes> members,
            FedColumns fed,
            Arena arena,
            int blocks,
            Map<String, Path> folders,
            int maxMapped) {
        this.members = members;
        this.fed = fed;
        this.arena = arena;
        this.columns = fed.stored();
        this.numbers = numbers(members, columns);
        this.fileOfBlock = new MappedFile[blocks];
        this.batchOfBlock = new CacheBatch[blocks];
        this.bytesOfBlock = new MemorySegment[blocks];
        this.bytes = new MemorySegment[columns.size()][];
        for (int c = 0; c < bytes.length; c++) {
            int number = c;
            boolean isInAllFiles = Arrays.stream(numbers).allMatch(ofMember -> ofMember[number] >= 0);
            bytes[c] = isInAllFiles ? bytesOfBlock : new MemorySegment[blocks];
        }
        this.offsets = new long[columns.size()][blocks];
        this.itemOffsets = new long[columns.size()][blocks];
        this.itemCounts = new long[columns.size()][blocks];
        this.values = new long[columns.size()][blocks];
        this.valuesBytes = new long[columns.size()][blocks];
        this.referenced = new ReferencedFiles[columns.size()][];
        for (int c = 0; c < bytes.length; c++) {
            String name = columns.get(c).name();
            boolean isReference =
                    members.stream().anyMatch(member -> member.referenced(name).isPresent());
            referenced[c] = new ReferencedFiles[isReference ? blocks : 0];
        }
        this.folders = folders;
        this.mappable = maxMapped;
    }

    /** By member and column the number of the column in the member's files; -1 if the member lacks it. */
    private static int[][] numbers(List<MemberLanes> members, List<CacheColumn> columns) {
        return members.stream()
                .map(member -> {
                    Map<String, Integer> numbers = new HashMap<>();
                    member.columns().forEach(column -> numbers.put(column.name(), numbers.size()));
                    return columns.stream()
                            .mapToInt(column -> numbers.getOrDefault(column.name(), -1))
                            .toArray();
                })
                .toArray(int[][]::new);
    }

    /**
     * @param feed whose strata are those of the members
     * @param folders by dataset, the folder of its files where it is not that of the import
     * @param maxMapped the most external files of all members that are mapped
     * @throws ConfigException if there are too many record batches, or a filled column is too large
     */
    static LaneCache map(
            List<MemberLanes> members,
            FedColumns columns,
            Feed feed,
            LaneSelection selection,
            Map<String, Path> folders,
            int maxMapped) {
        long blocks = 0;
        for (MemberLanes member : members) {
            blocks += member.checkedBlocks(selection);
        }
        if (blocks > Integer.MAX_VALUE) {
            throw new ConfigException(blocks + " record batches are too many for one feeder; divide its ranks between"
                    + " more nodes, or export with larger record batches");
        }
        Arena arena = Arena.ofShared();
        try {
            return new LaneMapping(members, columns, arena, (int) blocks, folders, maxMapped)
                    .map(memberOfStratum(feed), selection);
        } catch (RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    /** The member of each stratum; empty where there is one member. */
    private static int[] memberOfStratum(Feed feed) {
        if (!(feed instanceof TrainFeed train) || train.members().size() == 1) {
            return new int[0];
        }
        List<Member> members = train.members();
        return IntStream.range(0, members.size())
                .flatMap(m -> IntStream.generate(() -> m)
                        .limit(members.get(m).strata().size()))
                .toArray();
    }

    private LaneCache map(int[] memberOfStratum, LaneSelection selection) {
        int[][] firstBlock = new int[members.size()][];
        for (int m = 0; m < members.size(); m++) {
            MemberLanes member = members.get(m);
            firstBlock[m] = new int[member.lanes().lanes() + 1];
            Arrays.fill(firstBlock[m], -1);
            int[] ofMember = numbers[m];
            @Nullable FilledBlock[] filled = filled(m, ofMember);
            @Nullable ReferencedFiles[] files = files(member);
            for (int lane : member.selected(selection)) {
                firstBlock[m][lane + 1] = blocks;
                member.map(lane, arena, (file, layout) -> layout.batches()
                        .forEach(batch -> add(file, batch, ofMember, filled, files)));
            }
        }
        Map<String, MappedColumn> byName = new HashMap<>();
        for (int c = 0; c < columns.size(); c++) {
            byName.put(
                    columns.get(c).name(),
                    new MappedColumn(
                            bytes[c],
                            offsets[c],
                            itemOffsets[c],
                            itemCounts[c],
                            values[c],
                            valuesBytes[c],
                            referenced[c]));
        }
        return new LaneCache(
                arena,
                fed.kind(),
                members.stream().mapToInt(MemberLanes::batchRows).toArray(),
                firstBlock,
                memberOfStratum,
                byName,
                fileOfBlock,
                new BlockChecks(fileOfBlock, batchOfBlock),
                external);
    }

    /** The columns that a member lacks; null for the others. */
    private @Nullable FilledBlock[] filled(int member, int[] ofMember) {
        @Nullable FilledBlock[] filled = new FilledBlock[ofMember.length];
        for (int c = 0; c < ofMember.length; c++) {
            if (ofMember[c] < 0) {
                CacheColumn column = columns.get(c);
                filled[c] = FilledBlock.of(
                        column, fed.filled(member, column), members.get(member).batchRows(), arena);
            }
        }
        return filled;
    }

    /** The files of the columns in place of whose values a member has references; null for the others. */
    private @Nullable ReferencedFiles[] files(MemberLanes member) {
        @Nullable ReferencedFiles[] files = new ReferencedFiles[columns.size()];
        for (int c = 0; c < files.length; c++) {
            OptionalInt after = member.referenced(columns.get(c).name());
            if (after.isPresent()) {
                files[c] = new ReferencedFiles(
                        external.computeIfAbsent(member.folder().root(), folder -> open(folder, member.manifest())),
                        after.getAsInt());
            }
        }
        return files;
    }

    private ExternalFiles open(Path folder, Manifest.Version manifest) {
        Optional<Path> root = Optional.ofNullable(folders.get(manifest.dataset()));
        ExternalFiles files = ExternalFiles.open(folder, manifest, root, mappable, arena);
        mappable -= files.areMapped() ? files.count() : 0;
        return files;
    }

    private void add(
            MappedFile file,
            CacheBatch batch,
            int[] ofMember,
            @Nullable FilledBlock[] filled,
            @Nullable ReferencedFiles[] files) {
        fileOfBlock[blocks] = file;
        batchOfBlock[blocks] = batch;
        bytesOfBlock[blocks] = file.bytes();
        for (int c = 0; c < columns.size(); c++) {
            FilledBlock lacking = filled[c];
            if (referenced[c].length > 0) {
                referenced[c][blocks] = files[c];
            }
            int number = ofMember[c];
            if (lacking == null) {
                bytes[c][blocks] = file.bytes();
                offsets[c][blocks] = batch.offsetsOffset(number);
                itemOffsets[c][blocks] = batch.itemOffsetsOffset(number);
                itemCounts[c][blocks] = batch.body().itemCount(number);
                values[c][blocks] = batch.valuesOffset(number);
                valuesBytes[c][blocks] =
                        batch.body().valueCount(number) * columns.get(c).dtype().sizeBytes();
            } else {
                bytes[c][blocks] = lacking.bytes();
                offsets[c][blocks] = lacking.offsets();
                itemOffsets[c][blocks] = lacking.itemOffsets();
                itemCounts[c][blocks] = lacking.itemCount();
                values[c][blocks] = lacking.values();
                valuesBytes[c][blocks] = lacking.valuesBytes();
            }
        }
        blocks++;
    }
}
