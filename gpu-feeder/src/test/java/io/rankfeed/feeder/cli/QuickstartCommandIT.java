package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the order of a quickstart's steps, and which it skips. Spark and torchrun are shell scripts here, the feeder is
 * real.
 */
@Timeout(300)
class QuickstartCommandIT {
    private static final String VERSION = "df870f3cc42ce2c9";

    @TempDir
    private Path folder;

    private Path home;
    private Path calls;

    @BeforeEach
    void createProject() throws IOException {
        home = Files.createDirectories(folder.resolve("a home"));
        calls = folder.resolve("calls");
        Files.createDirectories(home.resolve("conf/jobs"));
        Files.writeString(home.resolve("conf/jobs/codecontests.yaml"), "dataset: codecontests\n");
        Files.writeString(home.resolve("conf/jobs/products.yaml"), "dataset: products\n");
        // Without image steps: OpenCV is not on this test's class path.
        Files.createDirectories(home.resolve("conf/feeds"));
        Files.writeString(home.resolve("conf/feeds/products.yaml"), "feeds: {}\n");
        String launcher = """
                echo "$1" "$2" >> "CALLS"
                [ ! -e "HOME/hang-$1" ] || { sleep 300 & echo $! > "HOME/child"; wait; }
                case $1 in
                generate) input="HOME/build/quickstart/input/rows-40000"
                    [ -e "$input" ] || { mkdir -p "$input" && echo rows > "$input/part-0"; } ;;
                pipeline) [ ! -e "HOME/fail" ] || exit 3
                    for run; do :; done
                    data="HOME/build/quickstart/data/$(basename "$2" .yaml)"
                    mkdir -p "$data/versions" "$data/runs/$run"
                    cp -r "GOLDEN" "$data/versions/VERSION"
                    echo '{"state": "committed", "version": "VERSION"}' > "$data/runs/$run/run.json" ;;
                esac
                """;
        script(
                home.resolve("rankfeed"),
                launcher.replace("CALLS", calls.toString())
                        .replace("HOME", home.toString())
                        .replace(
                                "GOLDEN",
                                FeederChild.GOLDEN.toAbsolutePath().normalize().toString())
                        .replace("VERSION", VERSION));
        String torchrun = """
                echo torchrun "$@" >> "CALLS"
                [ ! -e "HOME/hang-torchrun" ] || { sleep 300 & echo $! > "HOME/child"; wait; }
                exit ${TRAIN_EXIT:-0}
                """;
        script(
                home.resolve(".envs/train/bin/torchrun"),
                torchrun.replace("CALLS", calls.toString()).replace("HOME", home.toString()));
    }

    @Test
    void catalog_nextToProject_isTheSecondPart() throws Exception {
        Path shop = catalog(folder.resolve("shared/data/products"));
        assertThat(quickstart(0))
                .contains("codecontests 3/3", "products 1/3 input: " + shop + ", which is only read", "products 3/3")
                .contains("products: what each rank got", "Real products");
        assertThat(called()).containsExactly("generate", "pipeline", "torchrun", "pipeline", "torchrun");
        assertThat(Files.readAllLines(calls).getLast()).contains("train_products.py");
        assertThat(quickstart(0, "--data", "codecontests")).doesNotContain("products");
        Files.writeString(shop.resolve("thumbnails/b.jpg"), "another");
        assertThat(quickstart(0, "--data", "products")).doesNotContain("codecontests 1/3");
        assertThat(called().subList(5, 8)).containsExactly("torchrun", "pipeline", "torchrun");
    }

    @Test
    @Tag("nightly")
    void catalog_requestedButMissing_isRefused() throws Exception {
        assertThat(quickstart(2, "--data", "products")).contains("no product catalog in", "--catalog");
        assertThat(quickstart(2, "--catalog", home.toString())).contains("products.parquet is missing");
        assertThat(quickstart(2, "--data", "product")).contains("must be codecontests or products");
        assertThat(calls).doesNotExist();
        Path shop = catalog(folder.resolve("shop"));
        quickstart(0, "--data", "products", "--catalog", shop.toString());
        assertThat(called()).containsExactly("pipeline", "torchrun");
        Path link = Files.createSymbolicLink(folder.resolve("link"), shop);
        quickstart(0, "--data", "products", "--catalog", link.toString());
        assertThat(called().subList(2, 4)).containsExactly("pipeline", "torchrun");
        Files.writeString(shop.resolve("thumbnails/b.jpg"), "another");
        quickstart(0, "--data", "products", "--catalog", link.toString());
        assertThat(called().subList(4, 6)).containsExactly("pipeline", "torchrun");
    }

    @ParameterizedTest
    @CsvSource("pipeline, INT")
    void signal_anyPhase_endsAllAndNextRunCompletes(String phase, String signal) throws Exception {
        Path hang = Files.writeString(home.resolve("hang-" + phase), "");
        Path child = home.resolve("child");
        try (FeederChild command = FeederChild.startAtHome(folder, home, "quickstart", "--ranks", "2")) {
            command.until("in " + phase, () -> Files.exists(child) && isLine(child));
            command.signal(signal);
            assertThat(command.exitCode()).as(command.log()).isEqualTo(signal.equals("INT") ? 130 : 143);
            assertThat(command.runs()).isEmpty();
            assertThat(command.segments()).isEmpty();
            assertThat(command.log()).doesNotContain("Exception", "bug");
        }
        assertThat(isRunning(Files.readString(child).strip())).isFalse();
        Files.delete(hang);
        assertThat(quickstart(0)).contains("What to try next");
    }

    @ParameterizedTest
    @Tag("nightly")
    @CsvSource({"torchrun, TERM", "generate, INT", "pipeline, TERM", "torchrun, INT"})
    void anotherSignalInAnyPhaseTakesAllDown(String phase, String signal) throws Exception {
        signal_anyPhase_endsAllAndNextRunCompletes(phase, signal);
    }

    @Test
    void secondRun_skipsThePipeline() throws Exception {
        assertThat(quickstart(0)).contains("1/3 input", "2/3 pipeline", "3/3 feeder", "What to try next", VERSION);
        assertThat(called()).containsExactly("generate", "pipeline", "torchrun");
        assertThat(quickstart(0))
                .contains("no Spark needed", "What to try next", "--rank 0 --world 2")
                .contains(home.resolve("gpu-feeder/python/examples") + "/train_tokens.py");
        assertThat(called()).containsExactly("generate", "pipeline", "torchrun", "torchrun");
    }

    @Test
    @Tag("nightly")
    void inputJobOrSize_changed_runsThePipelineAgain() throws Exception {
        quickstart(0);
        Files.writeString(home.resolve("build/quickstart/input/rows-40000/part-0"), "other rows");
        quickstart(0);
        assertThat(called()).hasSize(6);
        Files.writeString(home.resolve("conf/jobs/codecontests.yaml"), "dataset: codecontests # changed\n");
        quickstart(0);
        assertThat(called()).hasSize(9);
    }

    @Test
    void ranks_notDividingLanes_areRefusedBeforeTraining() throws Exception {
        assertThat(quickstart(2, "--ranks", "3")).contains("--world 3 does not divide the 2 lanes");
        assertThat(called()).containsExactly("generate", "pipeline");
    }

    @Test
    void step_failing_givesItsExitCode() throws Exception {
        Files.writeString(home.resolve("fail"), "");
        quickstart(3);
        assertThat(called()).containsExactly("generate", "pipeline");
    }

    @Test
    void clean_otherFolder_isRefused() throws Exception {
        Path precious = Files.writeString(
                Files.createDirectories(folder.resolve("mine")).resolve("a"), "b");
        assertThat(quickstart(2, "--clean", "--dir", precious.getParent().toString()))
                .contains("not a folder of a quickstart");
        assertThat(precious).hasContent("b");
        quickstart(0);
        quickstart(0, "--clean");
        assertThat(called()).containsExactly("generate", "pipeline", "torchrun", "generate", "pipeline", "torchrun");
    }

    private static Path catalog(Path shop) throws IOException {
        Files.createDirectories(shop.resolve("thumbnails"));
        Files.writeString(shop.resolve("products.parquet"), "rows");
        Files.writeString(shop.resolve("thumbnails/a.jpg"), "picture");
        return shop;
    }

    /** Whether a process runs: a zombie is still listed, without a command line. */
    private static boolean isRunning(String pid) {
        try {
            return !Files.readString(Path.of("/proc", pid, "cmdline")).isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isLine(Path file) {
        try {
            return Files.readString(file).endsWith("\n");
        } catch (IOException e) {
            return false;
        }
    }

    /** Runs the quickstart on two ranks by default, as the golden version has two lanes. */
    private String quickstart(int exitCode, String... more) throws Exception {
        List<String> line = new ArrayList<>(List.of("quickstart"));
        if (!List.of(more).contains("--ranks")) {
            line.addAll(List.of("--ranks", "2"));
        }
        line.addAll(List.of(more));
        String[] words = line.toArray(String[]::new);
        try (FeederChild child = FeederChild.startAtHome(folder, home, words)) {
            assertThat(child.exitCode()).as(child.log()).isEqualTo(exitCode);
            assertThat(child.runs()).isEmpty();
            return child.log();
        }
    }

    private List<String> called() throws IOException {
        return Files.readAllLines(calls).stream()
                .map(line -> line.split(" ", -1)[0])
                .toList();
    }

    private static void script(Path file, String body) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + body);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }
}
