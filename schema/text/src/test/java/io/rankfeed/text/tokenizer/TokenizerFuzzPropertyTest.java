package io.rankfeed.text.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.testing.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damaged files are refused by the check, or a process that uses them as tasks do survives. To start few processes, one child tries many
 * files with the code of the child of {@link TokenizerCheck}, and another one goes on behind a file that ended it.
 */
class TokenizerFuzzPropertyTest {
    private static final int FILES_OF_A_CHILD = 500;
    private static final long MAX_CHILD_KIB = 768 << 10;

    @TempDir
    private Path folder;

    private int refused;
    private int crashed;
    private int accepted;

    /** Tries out files, and prints the result of each. */
    static final class Trying {
        public static void main(String[] files) throws IOException {
            for (String file : files) {
                try {
                    TokenizerChild.tryOut(Files.readString(Path.of(file)));
                    System.out.println("accepted " + file);
                } catch (IllegalArgumentException e) {
                    System.out.println("refused " + file);
                }
            }
        }
    }

    /** Encodes drawn texts with every file; prints the largest resident size of the process. */
    static final class Using {
        public static void main(String[] arguments) throws IOException {
            Random random = new Random(Long.parseLong(arguments[0]));
            for (String file : List.of(arguments).subList(1, arguments.length)) {
                Tokenizer tokenizer = Tokenizer.of(file, Files.readString(Path.of(file)));
                for (int i = 0; i < 20; i++) {
                    use(tokenizer, text(random));
                }
            }
            System.out.println(Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .findFirst()
                    .orElseThrow()
                    .replaceAll("\\D", ""));
        }

        private static void use(Tokenizer tokenizer, String text) {
            try {
                tokenizer.encode(text, SpecialTokens.ADDED);
                tokenizer.encode(text, SpecialTokens.LEFT_OUT);
                tokenizer.encode(text);
            } catch (CorruptDataException e) {
                // No tokens for it: exit code 3.
            }
        }

        private static String text(Random random) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(200); i > 0; i--) {
                int bound =
                        random.nextInt(4) == 0 ? Character.MAX_CODE_POINT + 1 : random.nextInt(4) == 0 ? 0x3000 : 0x80;
                int codePoint = random.nextInt(bound);
                text.appendCodePoint(codePoint >= 0xd800 && codePoint < 0xe000 ? ' ' : codePoint);
            }
            return text.toString();
        }
    }

    @Test
    void damagedFile_thatPassesTheCheck_endsNoProcess() throws Exception {
        fuzz(200, Seed.of(TokenizerFuzzPropertyTest.class));
        assertThat(List.of(refused, accepted)).allMatch(files -> files > 10);
    }

    @Test
    @Tag("nightly")
    void damagedFile_tenThousandTimes_endsNoProcess() throws Exception {
        fuzz(10_000, Seed.of(TokenizerFuzzPropertyTest.class));
        assertThat(List.of(refused, accepted)).allMatch(files -> files > 10);
        assertThat(crashed)
                .as("files that end the child: about one in a thousand")
                .isPositive();
    }

    private void fuzz(int count, long seed) throws Exception {
        TokenizerMutations mutations = new TokenizerMutations(new Random(seed));
        List<String> sound = new ArrayList<>();
        for (String json : TokenizerMutations.SOUND) {
            sound.add(Files.writeString(folder.resolve("sound-" + sound.size() + ".json"), json)
                    .toString());
        }
        List<String> files = new ArrayList<>(sound);
        for (int i = 0; i < count; i++) {
            byte[] bytes = mutations.next();
            try {
                StrictJson.requireObject(bytes, "t.json");
                files.add(Files.write(folder.resolve(i + ".json"), bytes).toString());
            } catch (CorruptDataException e) {
                refused++;
            }
        }
        for (int from = 0; from < files.size(); from += FILES_OF_A_CHILD) {
            List<String> passed = tried(files.subList(from, Math.min(files.size(), from + FILES_OF_A_CHILD)));
            if (from == 0) {
                assertThat(passed).containsAll(sound);
            }
            use(seed, passed);
        }
        System.out.println(refused + " refused, " + crashed + " crashed the child, " + accepted + " accepted");
        assertThat(refused + crashed + accepted).isEqualTo(count + sound.size());
    }

    /** The files that pass. */
    private List<String> tried(List<String> files) throws Exception {
        List<String> passed = new ArrayList<>();
        for (int next = 0; next < files.size(); ) {
            List<String> results = new ArrayList<>();
            int exitCode = run(Trying.class, files.subList(next, files.size()), results);
            for (String result : results) {
                if (result.startsWith("accepted ")) {
                    passed.add(result.substring("accepted ".length()));
                    accepted++;
                } else {
                    refused++;
                }
            }
            next += results.size();
            if (exitCode != 0) {
                assertThat(exitCode).as(files.get(next)).isEqualTo(134);
                crashed++;
                next++;
            }
        }
        return passed;
    }

    private void use(long seed, List<String> passed) throws Exception {
        List<String> output = new ArrayList<>();
        List<String> arguments = new ArrayList<>(List.of(Long.toString(seed)));
        arguments.addAll(passed);
        assertThat(run(Using.class, arguments, output)).as("seed " + seed).isZero();
        assertThat(Long.parseLong(output.get(0))).as("KiB, seed " + seed).isLessThan(MAX_CHILD_KIB);
    }

    private int run(Class<?> main, List<String> arguments, List<String> output) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        Path log = folder.resolve("log");
        Process child = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(log.toFile())
                .redirectError(folder.resolve("errors").toFile())
                .start();
        assertThat(child.waitFor(5, TimeUnit.MINUTES)).isTrue();
        output.addAll(Files.readAllLines(log, StandardCharsets.UTF_8));
        return child.exitValue();
    }
}
