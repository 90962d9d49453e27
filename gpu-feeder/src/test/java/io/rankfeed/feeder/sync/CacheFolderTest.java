package io.rankfeed.feeder.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the feeder's cache folder with the launcher's in every environment. */
class CacheFolderTest {
    private static final int ENVIRONMENTS = 200;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The launcher's answer to each environment: a path, or the message of its failure. */
    private static final String LAUNCHER = """
            import json, os, sys
            sys.path.insert(0, sys.argv[1])
            from rankfeed_cli import caches
            from rankfeed_cli.failure import Failure
            answers = []
            for environment in json.load(sys.stdin):
                os.environ.clear()
                os.environ.update(environment)
                try:
                    answers.append({"folder": str(caches.folder())})
                except Failure as e:
                    answers.append({"exit": e.exit_code, "message": str(e)})
            print(json.dumps(answers))
            """;

    @TempDir
    private Path dir;

    private Path own;

    @BeforeEach
    void nameOfTheUser() throws Exception {
        own = dir.resolve("rankfeed-cache-" + Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }

    @Test
    void folder_feederAndLauncher_agree() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("CacheFolderTest seed " + seed);
        Random random = new Random(seed);
        List<Map<String, String>> drawn = new ArrayList<>();
        for (int i = 0; i < ENVIRONMENTS; i++) {
            Map<String, String> environment = new HashMap<>();
            for (String name : new String[] {"XDG_CACHE_HOME", "HOME", "TMPDIR"}) {
                String[] values = {
                    "", "a/relative/path", "?", "/b/c/" + name, "/b/./c/../" + name + "/", "~/x", dir.toString()
                };
                int value = random.nextInt(values.length + 1);
                if (value < values.length) {
                    environment.put(name, values[value]);
                }
            }
            // Where a folder is made, it is made in the test's.
            if (CacheFolderTest.isMade(environment)) {
                environment.put("TMPDIR", dir.toString());
            }
            drawn.add(environment);
        }
        JsonNode launcher = launcher(drawn);
        for (int i = 0; i < ENVIRONMENTS; i++) {
            assertThat(CacheFolder.of(drawn.get(i)))
                    .as("%s, seed %d", drawn.get(i), seed)
                    .isAbsolute()
                    .hasToString(launcher.get(i).path("folder").asText());
        }
    }

    @Test
    void folder_withoutHome_isPrivate() throws Exception {
        Map<String, String> environment = Map.of("TMPDIR", dir.toString());
        assertThat(CacheFolder.of(environment)).isEqualTo(own);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
                .isEqualTo("rwx------");
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(launcher(List.of(environment)).get(0).path("folder").asText())
                .isEqualTo(own.toString());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
                .isEqualTo("rwx------");
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(CacheFolder.of(environment)).isEqualTo(own);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
                .isEqualTo("rwx------");
    }

    @Test
    void folder_linkOrFile_isRefused() throws Exception {
        Map<String, String> environment = Map.of("TMPDIR", dir.toString());
        Files.createSymbolicLink(own, Files.createDirectory(dir.resolve("elsewhere")));
        refused(environment, "is not a directory of this user");
        Files.delete(own);
        Files.writeString(own, "");
        refused(environment, "is not a directory of this user");
        refused(Map.of("TMPDIR", own.toString()), "cannot be made");
    }

    private static void refused(Map<String, String> environment, String why) throws Exception {
        assertThatThrownBy(() -> CacheFolder.of(environment))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining(why)
                .hasMessageContaining("set XDG_CACHE_HOME or HOME");
        JsonNode launcher = launcher(List.of(environment)).get(0);
        assertThat(launcher.path("exit").asInt()).isEqualTo(4);
        assertThat(launcher.path("message").asText()).contains(why, "set XDG_CACHE_HOME or HOME");
    }

    private static boolean isMade(Map<String, String> environment) {
        return !environment.getOrDefault("XDG_CACHE_HOME", "").startsWith("/")
                && !environment.getOrDefault("HOME", "").startsWith("/");
    }

    private static JsonNode launcher(List<Map<String, String>> environments) throws Exception {
        Path sources = Path.of("python/src").toAbsolutePath();
        Process python = new ProcessBuilder("python3", "-P", "-c", LAUNCHER, sources.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (OutputStream in = python.getOutputStream()) {
            JSON.writeValue(in, environments);
        }
        JsonNode answers = JSON.readTree(python.getInputStream().readAllBytes());
        assertThat(python.waitFor()).isZero();
        return answers;
    }
}
