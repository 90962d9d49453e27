package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.fixture.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandTest {
    private static final String JOB = """
            dataset: d
            root: /data
            sources: {t: {parquet: /in}}
            prepare: {select: {from: t}, key: [id]}
            sample: {train: {batch: 8, lanes: 2}}
            """;

    @TempDir
    private Path folder;

    private String checked(int exitCode, String text, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("file.yaml"), text);
        Object[] words = Stream.concat(Stream.of(file), Arrays.stream(options)).toArray();
        CommandRun run = CommandRun.of(new CheckCommand(), words);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
        return run.out() + run.err();
    }

    @Test
    void jobFile_valid_isSummarized() throws IOException {
        assertThat(checked(0, JOB)).contains("a job of dataset 'd' with 1 source and 1 feed: train");
    }

    @Test
    void jobFile_wrongValue_hasLineAndKey() throws IOException {
        assertThat(checked(2, JOB, "--set", "sample.train.batch=0")).contains("sample.train.batch", "out of range");
        assertThat(checked(2, JOB.replace("lanes", "lane"))).contains("file.yaml line 5", "did you mean 'lanes'?");
        assertThat(checked(2, JOB.replace("/data", "s3a://b/x"))).contains("root: s3a://b/x", "file, hdfs, viewfs");
        assertThat(checked(2, JOB.replace("dataset: d", "datset: d"))).contains("did you mean 'dataset'?");
    }

    @Test
    void feedFile_valid_isSummarized() throws IOException {
        assertThat(checked(0, "feeds: {train: {columns: [{name: x}]}}")).contains("a feed file of 1 feed: train");
        assertThat(checked(0, "")).contains("a feed file of 0 feeds");
    }

    @Test
    void feedFile_withSet_isRefused() throws IOException {
        assertThat(checked(2, "depth: 8", "--set", "depth=4")).contains("--set applies to job files");
        assertThat(checked(2, "members: {a: x}")).contains("is the file of a mixture", "plan --mixture", "--dry-run");
    }

    @Test
    void file_withScheme_isRefused() {
        CommandRun run = CommandRun.of(new CheckCommand(), "hdfs://host/job.yaml");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("hdfs://host/job.yaml: check reads files of this machine");
    }

    @Test
    void file_absent_isNamed() {
        CommandRun run = CommandRun.of(new CheckCommand(), folder.resolve("none.yaml"));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("none.yaml: no such file");
    }
}
