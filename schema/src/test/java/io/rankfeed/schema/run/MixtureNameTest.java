package io.rankfeed.schema.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.mixture.Mixture;
import io.rankfeed.schema.mixture.MixtureJson;
import io.rankfeed.schema.mixture.Mixtures;
import io.rankfeed.schema.store.LocalFiles;
import io.rankfeed.schema.store.Store;
import io.rankfeed.schema.store.StoredFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MixtureNameTest {
    private final Mixture mixture = Mixtures.small();

    @TempDir
    private Path root;

    private Path folder;

    @BeforeEach
    void write() throws IOException {
        folder = root.resolve("mixtures").resolve(mixture.id());
        Files.createDirectories(folder);
        Files.write(folder.resolve("mixture.json"), MixtureJson.toBytes(mixture));
        Files.write(root.resolve("mixtures/small.json"), MixtureName.FILES.toBytes(mixture.id()));
    }

    private static MixtureName at(Path path) {
        return MixtureName.at(path.toString(), LocalFiles.INSTANCE);
    }

    @Test
    void path_ofFolderFileOrName_isTheMixtureBelowItsRoot() {
        for (String path :
                new String[] {mixture.id(), mixture.id() + "/mixture.json", "small.json", "small", "small/"}) {
            MixtureName found = at(root.resolve("mixtures").resolve(path));
            assertThat(found.mixture()).isEqualTo(mixture);
            assertThat(found.folder()).isEqualTo(folder.toString());
            assertThat(found.root()).isEqualTo(root.toString());
            assertThat(MixtureName.isAt(root + "/mixtures/" + path, LocalFiles.INSTANCE))
                    .isTrue();
        }
        String version = root + "/pages/versions/00000000000000bb";
        assertThat(at(folder).version(mixture.feed().members().get(1).source().orElseThrow()))
                .isEqualTo(version);
        assertThat(MixtureName.root(version)).isEqualTo(root.toString());
        assertThat(MixtureName.isAt(version, LocalFiles.INSTANCE)).isFalse();
    }

    /** As in {@code cd ROOT/mixtures; rankfeed feed small}. */
    @Test
    void name_inTheWorkingDirectory_isThatOfAMixture() {
        Store here = new Store() {
            private String absolute(String path) {
                return path.startsWith("/") ? path : root + "/mixtures/" + path;
            }

            @Override
            public Optional<StoredFile> find(String path) {
                return LocalFiles.INSTANCE.find(absolute(path));
            }

            @Override
            public List<StoredFile> list(String folder) {
                return LocalFiles.INSTANCE.list(absolute(folder));
            }

            @Override
            public byte[] read(String file, long fromByte, int bytes) {
                return LocalFiles.INSTANCE.read(absolute(file), fromByte, bytes);
            }
        };
        for (String words : List.of("small", "small.json", mixture.id(), "./small", ".." + "/mixtures/small")) {
            assertThat(MixtureName.isAt(words, here)).as(words).isTrue();
            assertThat(MixtureName.at(words, here).folder()).isEqualTo(folder.toString());
        }
        assertThat(MixtureName.isAt("other", here)).isFalse();
    }

    @Test
    void path_withoutAMixture_isRefused() throws IOException {
        assertThatThrownBy(() -> at(root.resolve("mixtures/smal")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no such file or folder; give the name, the id or the path of a mixture");
        assertThatThrownBy(() -> at(root)).hasMessageContaining("has no mixture.json; give the folder of a mixture");
        Files.delete(folder.resolve("mixture.json"));
        assertThatThrownBy(() -> at(root.resolve("mixtures/small.json")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("names the mixture " + mixture.id() + ", which was deleted");
    }

    @Test
    void folder_ofAnotherMixture_isRefused() throws IOException {
        Path other = root.resolve("mixtures/0000000000000001");
        Files.move(folder, other);
        Files.write(root.resolve("mixtures/other.json"), MixtureName.FILES.toBytes("0000000000000001"));
        for (String path : List.of("other.json", "0000000000000001", "0000000000000001/mixture.json")) {
            assertThatThrownBy(() -> at(root.resolve("mixtures").resolve(path)))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageStartingWith(other + "/mixture.json")
                    .hasMessageContaining("is the mixture " + mixture.id() + ", and its folder says 0000000000000001");
        }
    }
}
