package io.rankfeed.feeder.importing;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.schema.run.VersionName;
import io.rankfeed.schema.store.LocalFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Imports in this process, and what they write. */
final class ImportFixture {
    /** Written by the libraries of the formats. */
    static final Path FOREIGN = Path.of("../shard-export/src/test/resources/foreign");

    private ImportFixture() {}

    static CommandRun run(Path dataset, Path root, Object... options) {
        List<Object> words = new ArrayList<>(List.of(dataset, "--as", "pets", "--root", root, "--progress", "none"));
        words.addAll(Arrays.asList(options));
        return CommandRun.of(new ImportCommand(), words.toArray());
    }

    /** Imports, and returns the folder of the version. */
    static Path imported(Path dataset, Path root, Object... options) {
        CommandRun run = run(dataset, root, options);
        assertThat(run.exitCode()).as(run.err()).isZero();
        return latest(root);
    }

    static Path latest(Path root) {
        return Path.of(VersionName.parse(root.resolve("pets") + "@latest")
                .orElseThrow()
                .folder(LocalFiles.INSTANCE, line -> {}));
    }

    static void copy(Path from, Path to) throws IOException {
        for (Path file : walk(from)) {
            Path target = to.resolve(from.relativize(file).toString());
            Files.createDirectories(target.getParent());
            Files.copy(file, target);
        }
    }

    private static List<Path> walk(Path folder) throws IOException {
        try (Stream<Path> walk = Files.walk(folder)) {
            return walk.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** The text of each file by its path, without locks and the stamps, which are no part of a version. */
    static Map<String, String> contents(Path folder) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        for (Path file : walk(folder)) {
            String path = folder.relativize(file).toString();
            if (!path.endsWith("_stamps") && !path.endsWith("_import.lock")) {
                contents.put(path, Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return contents;
    }

    /** A tar of members, in their order, as {@code tar --format=ustar} writes it. */
    static byte[] tar(Map<String, byte[]> members) {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        members.forEach((name, content) -> {
            byte[] header = new byte[512];
            put(header, 0, name);
            put(header, 100, "0000644\0" + "0000000\0" + "0000000\0");
            put(header, 124, String.format(Locale.ROOT, "%011o\0%011o\0", content.length, 0));
            put(header, 148, "        0");
            put(header, 257, "ustar\00000");
            int sum = 0;
            for (byte b : header) {
                sum += b & 0xFF;
            }
            put(header, 148, String.format(Locale.ROOT, "%06o\0 ", sum));
            tar.writeBytes(header);
            tar.writeBytes(content);
            tar.writeBytes(new byte[(512 - content.length % 512) % 512]);
        });
        tar.writeBytes(new byte[1024]);
        return tar.toByteArray();
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}
