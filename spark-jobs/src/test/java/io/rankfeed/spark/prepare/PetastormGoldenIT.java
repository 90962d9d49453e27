package io.rankfeed.spark.prepare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;

/** The dataset that {@code src/test/python/petastorm_write.py} wrote once. */
class PetastormGoldenIT extends PetastormDataset {
    @BeforeAll
    static void copy() throws IOException {
        Path golden = Path.of("src/test/resources/petastorm/written");
        try (Stream<Path> files = Files.walk(golden)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = written.resolve(golden.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
    }
}
