package io.rankfeed.schema.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.store.LocalFiles;
import io.rankfeed.schema.store.Store;
import io.rankfeed.schema.store.StoredFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A plan over a version is found by its name, its id and its path, in any store. */
class OrderNameTest {
    @TempDir
    private Path dataset;

    private StoredOrders orders;
    private String version = "";

    @BeforeEach
    void dataset() {
        orders = new StoredOrders(dataset.resolve("orders"));
        version = dataset.resolve("versions").resolve(StoredOrders.VERSION).toString();
    }

    private Order read(String words) {
        return OrderName.read(words, version, path -> LocalFiles.INSTANCE);
    }

    @Test
    void nameIdAndPath_findTheSamePlan() {
        String id = orders.write(1, StoredOrders.VERSION);
        orders.write(2, StoredOrders.VERSION);
        orders.name("mine", id);
        String folder = orders.folder().toString();
        for (String words : List.of(
                "mine",
                id,
                folder + "/" + id,
                folder + "/" + id + "//",
                folder + "/" + id + "/order.json",
                folder + "/mine.json")) {
            assertThat(read(words).plan()).as(words).isEqualTo(id);
        }
    }

    /** The version is in a store that has addresses; a path is of its own store. */
    @Test
    void name_ofVersionInStore_isReadThere() {
        String id = orders.write(1, StoredOrders.VERSION);
        orders.name("mine", id);
        Store far = new Store() {
            @Override
            public Optional<StoredFile> find(String path) {
                return LocalFiles.INSTANCE.find(local(path)).map(found -> at(path, found));
            }

            @Override
            public List<StoredFile> list(String folder) {
                return LocalFiles.INSTANCE.list(local(folder)).stream()
                        .map(found -> at(folder + "/" + found.name(), found))
                        .toList();
            }

            @Override
            public byte[] read(String file, long fromByte, int bytes) {
                return LocalFiles.INSTANCE.read(local(file), fromByte, bytes);
            }
        };
        Store.Finder stores = path -> path.startsWith("far://") ? far : LocalFiles.INSTANCE;
        for (String words :
                List.of("mine", id, "far://host" + orders.folder() + "/mine.json", orders.folder() + "/" + id)) {
            assertThat(OrderName.read(words, "far://host" + version, stores).plan())
                    .as(words)
                    .isEqualTo(id);
        }
        assertThatThrownBy(() -> OrderName.read("mien", "far://host" + version, stores))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("far://host" + orders.folder() + "; did you mean 'mine'?");
    }

    private static String local(String address) {
        return address.replaceFirst("far://host", "");
    }

    private static StoredFile at(String path, StoredFile found) {
        return new StoredFile(path, found.isFolder(), found.bytes(), 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mien       | no plan of that name or id is in",
                "/none/x    | no such file or folder",
                "''         | plan is empty",
                "gone       | names the plan 0123456789abcdef, which was deleted; plan again, or delete that file"
            })
    void nothingThere_isConfigurationError(String words, String message) {
        orders.name("gone", "0123456789abcdef");
        assertThatThrownBy(() -> read(words))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    @Test
    void folderWithoutPlan_isConfigurationError() {
        orders.name("mine", orders.write(1, StoredOrders.VERSION));
        assertThatThrownBy(() -> read(orders.folder().toString()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("this folder has no order.json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "{\"order\": \"mine\"}", "{\"order\": \"0123456789abcdef\", \"more\": 1}"})
    void name_damaged_isCorrupted(String text) {
        orders.write("mine.json", text.getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> read("mine"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("mine.json");
    }

    @Test
    void plan_damagedOrInTheWrongFolder_isCorrupted() throws Exception {
        String id = orders.write(1, StoredOrders.VERSION);
        String other = orders.write(2, StoredOrders.VERSION);
        Path file = orders.folder().resolve(id).resolve(Order.FILE_NAME);
        byte[] whole = Files.readAllBytes(file);
        orders.write(other + "/" + Order.FILE_NAME, whole);
        assertThatThrownBy(() -> read(other))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("is the plan " + id + ", and its folder says " + other);
        assertThatThrownBy(() -> read(orders.folder().resolve(other).toString()))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("is the plan " + id + ", and its folder says " + other);
        Files.writeString(file, Files.readString(file) + "\n");
        assertThatThrownBy(() -> read(id))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(file + ", byte " + whole.length + ": is not in the canonical form");
        Files.write(file, whole);
        Files.writeString(file, Files.readString(file).replace("\"seed\": 1,", "\"seed\": 3,"));
        assertThatThrownBy(() -> read(id))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("was changed after it was written");
        orders.write(id + "/" + Order.FILE_NAME, new byte[0]);
        assertThatThrownBy(() -> read(id)).isInstanceOf(CorruptDataException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Mine", "7seeds", "a b", "0123456789abcdef", "abcdefabcdefabcd", "../x"})
    void name_invalid_isRefused(String name) {
        assertThatThrownBy(() -> IdFiles.require(name))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a name has the form");
    }
}
