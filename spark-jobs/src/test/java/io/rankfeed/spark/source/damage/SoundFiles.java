package io.rankfeed.spark.source.damage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Small files of several shapes, encodings and codecs, written by Spark. */
final class SoundFiles {
    /**
     * A file.
     *
     * @param footerStart where its metadata begins
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record SoundFile(String name, byte[] bytes, int footerStart, boolean hasChecksums, List<String> rows) {}

    private static final String[] FLAT = {
        "id",
        "cast(id % 5 as int) AS few",
        "concat('text-', id % 7) AS text",
        "cast(id as double) / 3 AS real",
        "CASE WHEN id % 3 = 0 THEN NULL ELSE sha2(cast(id as string), 256) END AS hash",
        "id % 2 = 0 AS even"
    };
    private static final String[] NESTED = {
        "id",
        "transform(sequence(0, cast(id % 4 as int)), x -> cast(hash(id, x) as int)) AS tokens",
        "CASE WHEN id % 5 = 0 THEN NULL ELSE transform(filter(sequence(0, cast(id % 3 as int)), x -> x > 0),"
                + " x -> concat('n', x * id)) END AS names",
        "array(array(id, 1), array(), array(2)) AS deep",
        "array(named_struct('role', concat('r', id % 2), 'content', cast(id as string))) AS messages",
        "map(cast(id as string), id) AS counts"
    };

    private SoundFiles() {}

    static List<SoundFile> parquet(SparkSession spark, Path folder) throws IOException {
        List<SoundFile> files = new ArrayList<>();
        for (String checksums : List.of("true", "false")) {
            for (String codec : List.of("none", "snappy", "zstd", "gzip")) {
                boolean plain = codec.equals("none") || codec.equals("gzip");
                Map<String, String> options = Map.of(
                        "parquet.page.write-checksum.enabled",
                        checksums,
                        "parquet.writer.version",
                        plain ? "PARQUET_2_0" : "PARQUET_1_0",
                        "parquet.enable.dictionary",
                        Boolean.toString(codec.equals("snappy") || codec.equals("gzip")),
                        "parquet.page.row.count.limit",
                        "20",
                        "parquet.block.size",
                        "4000",
                        "compression",
                        codec);
                for (boolean nested : new boolean[] {false, true}) {
                    String name = (nested ? "nested" : "flat") + "-" + codec + "-" + checksums;
                    Dataset<Row> rows = spark.range(0, 60, 1, 1).selectExpr(nested ? NESTED : FLAT);
                    byte[] bytes = only(rows.write().options(options).format("parquet"), folder.resolve(name));
                    int footer = ByteBuffer.wrap(bytes)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .getInt(bytes.length - 8);
                    files.add(sound(spark, folder, name, bytes, bytes.length - 8 - footer, checksums.equals("true")));
                }
            }
        }
        return files;
    }

    /** Tables of the metastore, each with one file, whose damage they then read; by name. */
    static Map<SoundFile, Path> orc(SparkSession spark, Path folder) throws IOException {
        Map<SoundFile, Path> files = new LinkedHashMap<>();
        for (String codec : List.of("none", "snappy", "zlib", "zstd")) {
            for (boolean nested : new boolean[] {false, true}) {
                String name = "damaged_" + (nested ? "nested_" : "flat_") + codec;
                Path table = folder.resolve(name);
                Dataset<Row> rows = spark.range(0, 60, 1, 1).selectExpr(nested ? NESTED : FLAT);
                byte[] bytes = only(rows.write().option("compression", codec).format("orc"), table);
                spark.sql("DROP TABLE IF EXISTS " + name);
                spark.sql("CREATE TABLE " + name + " USING orc LOCATION '" + table + "'");
                SourceRead read = SourceRead.of(spark, "{hive: " + name + "}");
                if (read.failure() != null) {
                    throw read.failure();
                }
                files.put(new SoundFile(name, bytes, bytes.length * 2 / 3, false, read.rows()), part(table));
            }
        }
        return files;
    }

    private static SoundFile sound(
            SparkSession spark, Path folder, String name, byte[] bytes, int footerStart, boolean checksums)
            throws IOException {
        Path file = folder.resolve(name + ".parquet");
        Files.write(file, bytes);
        SourceRead read = SourceRead.of(spark, "{parquet: '" + file + "'}");
        if (read.failure() != null) {
            throw read.failure();
        }
        return new SoundFile(name, bytes, footerStart, checksums, read.rows());
    }

    private static byte[] only(org.apache.spark.sql.DataFrameWriter<Row> writer, Path folder) throws IOException {
        writer.save(folder.toString());
        return Files.readAllBytes(part(folder));
    }

    private static Path part(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("part-"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
