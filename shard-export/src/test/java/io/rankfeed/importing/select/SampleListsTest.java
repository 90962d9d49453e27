package io.rankfeed.importing.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.export.ArrowTable;
import io.rankfeed.importing.format.Formats;
import io.rankfeed.importing.index.DatasetIndex;
import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.importing.index.ExternalFile;
import io.rankfeed.importing.write.VersionFiles;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.External;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.selection.SelectedStratum;
import io.rankfeed.schema.selection.SelectedTrain;
import io.rankfeed.schema.selection.Selection;
import io.rankfeed.schema.selection.SelectionJson;
import io.rankfeed.testing.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleListsTest {
    private static final Path FOLDER = Path.of("src/test/resources/foreign");

    @TempDir
    Path folder;

    private static DatasetIndex index(Path root) {
        return DatasetIndex.of(Formats.open(root, Optional.empty()), DatasetRoot.at(root), Set.of(), 1, part -> {});
    }

    /** The formula of docs/format/plan.md, section 2, once more. */
    private static long key(long... words) {
        long h = 0;
        for (long word : words) {
            long z = (h ^ word) + 0x9E3779B97F4A7C15L;
            z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
            z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
            h = z ^ z >>> 31;
        }
        return h;
    }

    @Test
    void lists_areInTheOrderOfTheHash_andHaveEachWholeSampleOnce() throws IOException {
        for (int i = 0; i < 300; i++) {
            Path file = folder.resolve("c" + i % 3 + "/" + i + ".jpg");
            Files.createDirectories(file.getParent());
            Files.write(file, new byte[i % 10]);
        }
        DatasetIndex index = index(folder);
        SampleAddresses addresses = new SampleAddresses(index, "pets");
        SampleLists lists = SampleLists.of(
                addresses,
                List.of(Strata.ofFolders(index), Strata.ofColumn(index, DatasetRoot.at(folder), "label")),
                false);

        assertThat(lists.strata())
                .containsExactly(
                        new SelectedStratum("c0/0", List.of("c0", "0"), 90, 90),
                        new SelectedStratum("c1/1", List.of("c1", "1"), 90, 90),
                        new SelectedStratum("c2/2", List.of("c2", "2"), 90, 90));
        Set<Integer> seen = new HashSet<>();
        for (int s = 0; s < 3; s++) {
            int stratum = s;
            List<Integer> list = IntStream.range(0, 90)
                    .map(i -> lists.sample(stratum, i))
                    .boxed()
                    .toList();
            assertThat(list).allMatch(sample -> addresses.part(sample) == stratum && !addresses.isDamaged(sample));
            assertThat(list.stream()
                            .map(sample -> key(7, addresses.rowId(sample)))
                            .toList())
                    .isSortedAccordingTo(Long::compareUnsigned);
            seen.addAll(list);
        }
        assertThat(seen).hasSize(270);
        assertThat(index.damaged()).isEqualTo(30);
    }

    @Test
    void lanes_haveTheRowsOfTheSelection() throws IOException {
        DatasetIndex index = index(FOLDER.resolve("webdataset"));
        SampleAddresses addresses = new SampleAddresses(index, "wds");
        SampleLists lists = SampleLists.of(
                addresses, List.of(Strata.ofColumn(index, DatasetRoot.at(FOLDER.resolve("webdataset")), "cls")), false);
        Order.Storage storage = new Order.Storage(2, 2);
        SelectedTrain feed = lists.selected("train", 2, index, addresses);
        byte[] json = SelectionJson.toBytes(new Selection("wds", Optional.of(storage), List.of(feed)));

        VersionFiles files = new VersionFiles(folder);
        List<ArtifactFile> written = new ArrayList<>();
        for (int lane = -1; lane < 2; lane++) {
            written.addAll(files.lane(index, lists, addresses, "train", 2, lane, storage));
        }

        // Strata of 3, 2 and 2 samples: a lane has one of each, and one is shared.
        assertThat(SelectionJson.parse(json, "selection.json").feeds()).containsExactly(feed);
        assertThat(feed.strata()).extracting(SelectedStratum::rows).containsExactly(3L, 2L, 2L);
        assertThat(written)
                .extracting(file -> file.path().value() + " " + file.rows().getAsLong())
                .containsExactly(
                        "lanes/train/shared-00000.arrow 1",
                        "lanes/train/lane-00000-00000.arrow 2",
                        "lanes/train/lane-00000-00001.arrow 1",
                        "lanes/train/lane-00001-00000.arrow 2",
                        "lanes/train/lane-00001-00001.arrow 1");
        assertThat(rowIds("shared-00000")).containsExactly(addresses.rowId(lists.sample(0, 2)));
        for (int lane = 0; lane < 2; lane++) {
            List<Object> rows = new ArrayList<>(rowIds("lane-0000" + lane + "-00000"));
            rows.addAll(rowIds("lane-0000" + lane + "-00001"));
            assertThat(rows)
                    .containsExactly(
                            addresses.rowId(lists.sample(0, lane)),
                            addresses.rowId(lists.sample(1, lane)),
                            addresses.rowId(lists.sample(2, lane)));
        }
    }

    private List<Object> rowIds(String file) throws IOException {
        return ArrowTable.read(Files.readAllBytes(folder.resolve("lanes/train/" + file + ".arrow")))
                .columns()
                .get("_row_id");
    }

    /** Names of files have five digits. */
    @Test
    void lane_ofMoreThan100000Files_isRefused() throws IOException {
        int rows = 100_001;
        Path dataset = Files.createDirectory(folder.resolve("dataset"));
        String meta = "{\"N\": " + rows + ", \"feature_dim\": 1, \"features_path\": \"features.mmt\","
                + " \"labels_path\": null, \"features_dtype\": \"float32\"}";
        Files.writeString(dataset.resolve("meta.json"), meta);
        Files.write(dataset.resolve("features.mmt"), new byte[4 * rows]);
        DatasetIndex index = index(dataset);
        SampleAddresses addresses = new SampleAddresses(index, "enn");
        SampleLists lists = SampleLists.of(addresses, List.of(), false);
        VersionFiles files = new VersionFiles(folder);

        assertThatThrownBy(() -> files.lane(index, lists, addresses, "train", 1, 0, new Order.Storage(1, 1)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("feed 'train': lane 0 has 100001 rows, which are more than 100000 files of 1");
        assertThat(folder.resolve("lanes")).doesNotExist();
    }

    @Test
    void externalFiles_areListedByNumber() throws IOException {
        List<ExternalFile> files = List.of(
                new ExternalFile("a/é 1.tar", 5, 7, "ab".repeat(32)),
                new ExternalFile("b", 1L << 40, 8, "01".repeat(32)));

        ArtifactFile written = new VersionFiles(folder).external(files);

        byte[] bytes = Files.readAllBytes(folder.resolve(External.FILE_NAME));
        Map<String, List<Object>> columns = ArrowTable.read(bytes).columns();
        assertThat(written.bytes()).isEqualTo(bytes.length);
        assertThat(columns.get("path")).extracting(Object::toString).containsExactly("a/é 1.tar", "b");
        assertThat(columns.get("bytes")).containsExactly(5L, 1L << 40);
        assertThat(columns).doesNotContainKey("modifiedNanos");
    }

    @Test
    void strata_byKeysOfAFile_needEachSample() {
        DatasetIndex index = index(FOLDER.resolve("webdataset"));
        SampleAddresses addresses = new SampleAddresses(index, "wds");
        Map<String, String> byKey = new HashMap<>();
        for (int i = 0; i < 7; i++) {
            byKey.put("d/000" + i, i < 5 ? "easy" : "hard");
        }
        assertThat(SampleLists.of(addresses, List.of(Strata.ofKeys(index, "level", byKey, "levels.json")), false)
                        .strata())
                .extracting(SelectedStratum::rows)
                .containsExactly(5L, 2L);
        byKey.remove("d/0003");
        assertThatThrownBy(() ->
                        SampleLists.of(addresses, List.of(Strata.ofKeys(index, "level", byKey, "levels.json")), false))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("levels.json has no stratum for the sample 'd/0003'");
        assertThatThrownBy(() -> Strata.ofColumn(index, DatasetRoot.at(FOLDER.resolve("webdataset")), "jpg"))
                .hasMessageContaining("column 'jpg' is binary []");
    }

    @Test
    void keySort_isThatOfTheUnsignedComparison() {
        Random random = new Random(Seed.of(SampleListsTest.class));
        for (int size : new int[] {0, 1, 2, 1000}) {
            long[] keys = random.longs(size)
                    .map(key -> random.nextBoolean() ? key : key & 3)
                    .toArray();
            List<Integer> expected = IntStream.range(0, size)
                    .boxed()
                    .sorted(Comparator.comparing((Integer i) -> keys[i], Long::compareUnsigned))
                    .toList();
            int[] numbers = IntStream.range(0, size).toArray();
            KeySort.sort(keys.clone(), numbers);
            assertThat(numbers)
                    .containsExactly(expected.stream().mapToInt(i -> i).toArray());
        }
    }
}
