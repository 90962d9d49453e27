package io.rankfeed.export.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.run.VersionCommit;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits have distinct ascending numbers, also if runs commit at the same time or are killed. */
class CommitLogTest {
    private static final int COMMITTERS = 8;

    @TempDir
    private java.nio.file.Path dataset;

    private final FileSystem fs = Storage.of(new Path("/"), new Configuration());

    private void add(String run) {
        CommitLog.add(
                fs,
                new Path(dataset.toString()),
                new VersionCommit(run, "00000000000000aa", Optional.empty(), Optional.empty()));
    }

    private List<String> names() throws IOException {
        try (Stream<java.nio.file.Path> files = Files.list(dataset.resolve("commits"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void commit_afterAnEmptyOne_hasTheNextNumber() throws IOException {
        add("a");
        Files.createFile(dataset.resolve("commits/0000000002.json"));
        Files.createFile(dataset.resolve("commits/_claim"));
        add("b");

        assertThat(names()).containsExactly("0000000001.json", "0000000002.json", "0000000003.json", "_claim");
        assertThat(Files.readString(dataset.resolve("commits/0000000003.json")))
                .isEqualTo("{\n  \"run\": \"b\",\n  \"version\": \"00000000000000aa\"\n}\n");
    }

    @Test
    void commitsAtTheSameTimeHaveDistinctNumbers() throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(COMMITTERS);
        try {
            List<? extends Future<?>> all = IntStream.range(0, COMMITTERS)
                    .mapToObj(i -> threads.submit(() -> {
                        start.await();
                        add("run-" + i);
                        return i;
                    }))
                    .toList();
            start.countDown();
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(names())
                .isEqualTo(IntStream.rangeClosed(1, COMMITTERS)
                        .mapToObj(VersionCommit::fileName)
                        .toList());
    }
}
