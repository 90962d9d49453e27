package io.rankfeed.spark.source.open;

import io.rankfeed.job.SourceSection;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.spark.engine.parquet.ListedFiles;
import io.rankfeed.spark.file.SourceFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The columns that folders {@code column=value} give the rows below them. All files of a source have the same columns, in
 * the same order; other folders have no meaning.
 */
public final class PartitionFolders {
    private final String source;
    private final SourceFile first;
    private final List<String> columns;

    /**
     * Checks the names of all folders.
     *
     * @param files at least one
     * @throws ConfigException if a file has other columns than the first one, or a column twice
     */
    public PartitionFolders(String source, List<SourceFile> files) {
        this.source = source;
        this.first = files.get(0);
        this.columns = columns(first);
        Set<String> names = new HashSet<>();
        for (String column : columns) {
            if (!names.add(column.toLowerCase(Locale.ROOT))) {
                throw refused(
                        first.path() + ": its folders name the column '" + column + "' twice; rename one of them");
            }
        }
        for (SourceFile file : files) {
            if (!columns(file).equals(columns)) {
                throw refused(file.path() + " has the partition columns " + columns(file) + ", and " + first.path()
                        + " has " + columns + "; give all files the same column=value folders, or make each shape a"
                        + " source of its own and join them by UNION ALL in prepare.sql");
            }
        }
    }

    private static List<String> columns(SourceFile file) {
        return PartitionFolder.of(file).stream().map(PartitionFolder::column).toList();
    }

    /** A message about the folders of a source whose rows get no columns from them; empty if there are none. */
    public static Optional<String> ignored(String source, List<SourceFile> files) {
        return files.stream()
                .flatMap(file -> PartitionFolder.of(file).stream())
                .findFirst()
                .map(folder -> "source " + source + ": folders such as '" + folder.written() + "' add no columns to"
                        + " JSON lines and text; to have their values, name each folder as a source of its own and add"
                        + " the value in prepare.sql");
    }

    public List<String> columns() {
        return columns;
    }

    /** @throws ConfigException if a folder has the name of a column in the files */
    public void refuseStored(FileColumns<?> stored) {
        for (ColumnedFile file : stored.examples()) {
            for (ColumnedFile.Column column : file.columns()) {
                for (int i = 0; i < columns.size(); i++) {
                    if (columns.get(i).equalsIgnoreCase(column.name())) {
                        throw refused(file.file().path() + " has a column '" + column.name()
                                + "' and is in the folder '"
                                + PartitionFolder.of(file.file()).get(i).written()
                                + "', which names it too; rename the folders, or write the files again without that"
                                + " column");
                    }
                }
            }
        }
    }

    /** The types of the columns of folders that a source names. */
    public static Map<String, DataType> types(SourceSection section) {
        return section.partitions().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        type -> DataType.fromDDL(type.getValue().name())));
    }

    /**
     * The values of partition columns, which the folders of files give to their rows.
     *
     * @param ofFiles the values of the columns, in the order of the files
     */
    public record FolderValues(StructType columns, List<List<@Nullable Object>> ofFiles) {}

    /**
     * Reads the values of the folders.
     *
     * @param types of columns of the folders, by name; others are strings
     * @throws ConfigException if a value is not of its type, or has two spellings
     */
    public FolderValues values(Map<String, DataType> types, List<SourceFile> files) {
        StructType partitions = typed(types);
        List<Map<Object, String>> spellings = new ArrayList<>();
        columns.forEach(column -> spellings.add(new HashMap<>()));
        Map<Path, List<@Nullable Object>> known = new HashMap<>();
        return new FolderValues(
                partitions,
                files.stream()
                        .map(file -> known.computeIfAbsent(
                                file.path().getParent(), parent -> values(file, partitions, spellings)))
                        .toList());
    }

    /**
     * The rows of files as Spark reads them: their columns, then those of the folders.
     *
     * @param stored the columns in the files
     * @param types as in {@link #values}
     * @param format that reads the files
     */
    public Dataset<Row> rows(
            SparkSession spark,
            Path root,
            StructType stored,
            Map<String, DataType> types,
            List<SourceFile> files,
            ListedFiles.Format format) {
        FolderValues values = values(types, files);
        Map<Path, ListedFiles.Folder> folders = new LinkedHashMap<>();
        for (int i = 0; i < files.size(); i++) {
            SourceFile file = files.get(i);
            List<@Nullable Object> ofFile = values.ofFiles().get(i);
            folders.computeIfAbsent(
                            file.path().getParent(), parent -> new ListedFiles.Folder(ofFile, new ArrayList<>()))
                    .files()
                    .add(file.status());
        }
        return ListedFiles.rows(spark, root, stored, values.columns(), List.copyOf(folders.values()), format);
    }

    private StructType typed(Map<String, DataType> types) {
        Map<String, DataType> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        byName.putAll(types);
        StructType partitions = new StructType();
        for (String column : columns) {
            DataType type = byName.remove(column);
            partitions = partitions.add(column, type == null ? DataTypes.StringType : type, true);
        }
        for (String unknown : byName.keySet()) {
            throw new ConfigException("sources." + source + ".partitions: no folder of " + first.path() + " is called '"
                    + unknown + "=…'" + Suggestion.hint(unknown, columns));
        }
        return partitions;
    }

    /** @param spellings by column, the folder that has each value */
    private List<@Nullable Object> values(SourceFile file, StructType partitions, List<Map<Object, String>> spellings) {
        List<@Nullable Object> values = new ArrayList<>();
        List<PartitionFolder> folders = PartitionFolder.of(file);
        for (int i = 0; i < folders.size(); i++) {
            PartitionFolder folder = folders.get(i);
            if (folder.value().isEmpty()) {
                values.add(null);
                continue;
            }
            DataType type = partitions.fields()[i].dataType();
            String text = folder.value().get();
            Object value = PartitionFolder.parsed(text, type)
                    .orElseThrow(() -> refused(file.path() + " is in the folder '" + folder.written() + "', and '"
                            + text + "' is not " + type.sql() + "; rename the folder, or leave the column a string and"
                            + " convert it in prepare.sql"));
            String before = spellings.get(i).putIfAbsent(value, folder.written());
            if (before != null && !before.equals(folder.written()) && !(type instanceof StringType)) {
                throw refused(file.path() + " is in the folder '" + folder.written() + "', and others are in '" + before
                        + "', which is the same " + type.sql() + "; rename one of them, or leave the column a string");
            }
            values.add(value);
        }
        return values;
    }

    private ConfigException refused(String why) {
        return new ConfigException("sources." + source + ": " + why);
    }
}
