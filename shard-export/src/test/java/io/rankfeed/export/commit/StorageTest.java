package io.rankfeed.export.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StorageTest {
    private static final byte[] OLD = "old".getBytes(StandardCharsets.UTF_8);
    private static final byte[] NEW = "newer".getBytes(StandardCharsets.UTF_8);

    private java.nio.file.Path file;
    private Path path;
    private FileSystem local;

    @BeforeEach
    void open(@TempDir java.nio.file.Path root) throws IOException {
        file = Files.write(root.resolve("run.json"), OLD);
        path = new Path(file.toUri());
        local = Storage.of(path, new Configuration());
    }

    @Test
    void replace_atomicRenameSupported_isOneStep() {
        LikeHdfs fs = new LikeHdfs(local);
        Storage.replace(fs, path, NEW, "a");
        assertThat(fs.deleted).isEmpty();
        assertThat(file).hasBinaryContent(NEW);
    }

    @Test
    void itIsReplacedInTwoWhereItHasNone() {
        LikeHdfs fs = new LikeHdfs(local, LikeHdfs.WITHOUT_CONTEXT);
        Storage.replace(fs, path, NEW, "a");
        assertThat(fs.deleted).containsExactly("run.json");
        assertThat(file).hasBinaryContent(NEW);
    }

    @ParameterizedTest
    @EnumSource(
            value = FaultyFs.Rename.class,
            names = {"UNANSWERED", "REFUSED_AT_FIRST"})
    void replace_renameRefusedOrWithoutAnswer_hasTheNewBytes(FaultyFs.Rename kind) throws IOException {
        for (boolean isThere : new boolean[] {true, false}) {
            FaultyFs.heal();
            FaultyFs.rename = kind;
            Path name = new Path("faulty:" + (isThere ? file : file.resolveSibling("new.json")));
            try {
                Storage.replace(Storage.of(name, FaultyFs.conf()), name, NEW, "a");
            } finally {
                FaultyFs.heal();
            }
            assertThat(Files.readAllBytes(java.nio.file.Path.of(name.toUri().getPath())))
                    .isEqualTo(NEW);
        }
        assertThat(file.getParent())
                .isDirectoryNotContaining(
                        found -> found.getFileName().toString().startsWith("_"));
    }

    @Test
    void replace_renameNeverDone_failsAndKeepsNothingElse() {
        FaultyFs.rename = FaultyFs.Rename.NEVER;
        try {
            Path name = new Path("faulty:" + file.resolveSibling("new.json"));
            assertThatThrownBy(() -> Storage.replace(Storage.of(name, FaultyFs.conf()), name, NEW, "a"))
                    .hasMessageContaining(name.toString());
        } finally {
            FaultyFs.heal();
        }
    }

    @Test
    void aFolderIntoWhichAFileCameIsKept() throws IOException {
        Path folder = path.getParent();
        Storage.removeIfEmpty(local, folder);
        assertThat(file).exists();
        Files.delete(file);
        Storage.removeIfEmpty(local, folder);
        assertThat(file.getParent()).doesNotExist();
    }

    @Test
    void fileSystem_withoutItsJars_isAConfigurationError() {
        Configuration conf = new Configuration();
        conf.set("fs.lacking.impl", "org.apache.hadoop.fs.lacking.LackingFileSystem");
        for (String root : new String[] {"lacking://nope/x", "foo://nope/x"}) {
            assertThatThrownBy(() -> Storage.of(new Path(root), conf))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith(root + ": ")
                    .hasMessageContaining("submit with --packages");
        }
        assertThatThrownBy(() -> Storage.of(new Path("s3a://bucket/x"), conf))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("class org.apache.hadoop.fs.s3a.S3AFileSystem is missing")
                .hasMessageContaining("org.apache.hadoop:hadoop-aws:" + VersionInfo.getVersion());
    }

    @Test
    void aFileLongerThanAnyOfItsKindIsDamaged() {
        assertThatThrownBy(() -> Storage.read(local, path, OLD.length - 1))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("run.json")
                .hasMessageContaining("has 3 bytes; at most 2 are read");
    }
}
