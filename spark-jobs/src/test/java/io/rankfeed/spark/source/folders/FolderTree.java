package io.rankfeed.spark.source.folders;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Random folders of Parquet files: plain ones and {@code column=value}, with empty and hidden files. */
final class FolderTree {
    /** Values in folder names and in rows; null is Hive's default partition. */
    private static final String[][] VALUES = {
        {"7", "7"},
        {"007", "007"},
        {"1.10", "1.10"},
        {"1.1", "1.1"},
        {"a", "a"},
        {"A", "A"},
        {"", ""},
        {"x=y", "x=y"},
        {"a%20b", "a b"},
        {"a b", "a b"},
        {"%2F", "/"},
        {"%25", "%"},
        {"50%", "50%"},
        {"%zz", "%zz"},
        {"12%3A30", "12:30"},
        {"\u00e9", "\u00e9"},
        {"%C3%A9", "\u00e9"},
        {"+", "+"},
        {"true", "true"},
        {"2024-01-31", "2024-01-31"},
        {"null", "null"},
        {"__HIVE_DEFAULT_PARTITION__", null},
    };

    private static final List<String> PLAIN = List.of("sub", "a b", "%20", "=x", "2024", "p", "it's [a] {b}*");

    /**
     * A row that the tree has.
     *
     * @param values of the columns of its folders
     */
    record TreeRow(long id, List<@Nullable String> values) {
        @Override
        public String toString() {
            return id + " t" + id + " " + values;
        }
    }

    private final Path root;
    private final List<String> columns;
    private final Map<Path, List<@Nullable String>> files = new HashMap<>();

    private FolderTree(Path root, List<String> columns) {
        this.root = root;
        this.columns = columns;
    }

    static FolderTree drawn(Path root, Random random) throws IOException {
        FolderTree tree = new FolderTree(root, List.of("p", "Level_2", "_q").subList(0, random.nextInt(4)));
        int files = 1 + random.nextInt(7);
        long id = 0;
        for (int file = 0; file < files; file++) {
            List<@Nullable String> values = new ArrayList<>();
            Path folder = plain(root, random);
            for (String column : tree.columns) {
                String[] value = VALUES[random.nextInt(VALUES.length)];
                folder = plain(folder.resolve(column + "=" + value[0]), random);
                values.add(value[1]);
            }
            int rows = file == 0 ? 5 : random.nextInt(4) == 0 ? 0 : random.nextInt(40);
            Path written = folder.resolve((random.nextBoolean() ? "f " : "k=v ") + file + ".parquet");
            ParquetFile.write(written, id, rows, 1 + random.nextInt(15));
            tree.files.put(written, values);
            id += rows;
            if (random.nextInt(3) == 0) {
                ParquetFile.write(folder.resolve("_attempt/rows.parquet"), 1_000_000, 3, 3);
                Files.writeString(folder.resolve("_SUCCESS"), "");
                Files.writeString(folder.resolve(".hidden"), "x");
            }
        }
        return tree;
    }

    /** Most folders are in the one that is asked, some in plain folders in it. */
    private static Path plain(Path folder, Random random) {
        Path below = folder;
        while (random.nextInt(3) == 0) {
            below = below.resolve(PLAIN.get(random.nextInt(PLAIN.size())));
        }
        return below;
    }

    Path root() {
        return root;
    }

    List<String> columns() {
        return columns;
    }

    /** The rows that a walk over the files reads, one by one. */
    List<TreeRow> rows() {
        List<TreeRow> rows = new ArrayList<>();
        files.forEach((file, values) -> ParquetFile.ids(file).forEach(id -> rows.add(new TreeRow(id, values))));
        return rows;
    }
}
