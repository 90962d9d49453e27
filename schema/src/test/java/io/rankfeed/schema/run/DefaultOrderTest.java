package io.rankfeed.schema.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.schema.store.LocalFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class DefaultOrderTest {
    private static final String VERSION = StoredOrders.VERSION;
    private static final String OTHER = "0011223344556677";

    @TempDir
    private Path dataset;

    private StoredOrders orders;
    private String version;

    @BeforeEach
    void place() {
        orders = new StoredOrders(dataset.resolve("orders"));
        version = dataset.resolve("versions").resolve(VERSION).toString();
    }

    private String found() {
        return DefaultOrder.of(version, VERSION, LocalFiles.INSTANCE).plan();
    }

    private void commit(int number, String of, Optional<String> order) throws IOException {
        Path file = dataset.resolve(VersionCommit.FOLDER).resolve(VersionCommit.fileName(number));
        Files.createDirectories(file.getParent());
        Files.write(file, new VersionCommit("run" + number, of, order, order.map(id -> "00000000000000aa")).toBytes());
    }

    @Test
    void committedVersion_isReadByTheOrderOfItsFirstCommit() throws IOException {
        String first = orders.write(1, VERSION);
        String second = orders.write(2, VERSION);
        String ofOther = orders.write(3, OTHER);
        commit(1, OTHER, Optional.of(ofOther));
        Files.writeString(dataset.resolve(VersionCommit.FOLDER).resolve(VersionCommit.fileName(2)), "{\"run\":");
        commit(3, VERSION, Optional.of(second));
        commit(10, VERSION, Optional.of(first));
        assertThat(found()).isEqualTo(second);
        assertThat(DefaultOrder.firstCommit(version, VERSION, Optional.of(first), LocalFiles.INSTANCE))
                .contains(new VersionCommit("run10", VERSION, Optional.of(first), Optional.of("00000000000000aa")));
        assertThat(new VersionName(dataset.toString(), RunName.LATEST).order(LocalFiles.INSTANCE))
                .contains(first);
    }

    @Test
    void copyWithoutCommits_isReadByItsOnlyOrder() throws IOException {
        assertThatThrownBy(this::found)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no order over it is in " + orders.folder())
                .hasMessageContaining("--plan");
        orders.write(3, OTHER);
        String only = orders.write(1, VERSION);
        commit(1, OTHER, Optional.empty());
        assertThat(found()).isEqualTo(only);
        String second = orders.write(2, VERSION);
        assertThatThrownBy(this::found)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(only)
                .hasMessageContaining(second)
                .hasMessageContaining("--plan");
    }

    /** The cases that the reader in Python is tested with, too. */
    @TestFactory
    Stream<DynamicTest> cases() throws IOException {
        JsonNode document = DefaultOrderCase.read();
        Map<String, byte[]> known = DefaultOrderCase.orders(document);
        return StreamSupport.stream(document.path("cases").spliterator(), false)
                .map(one -> dynamicTest(one.path("name").asText(), () -> {
                    Path folder = Files.createTempDirectory(dataset, "case");
                    String id = document.path("version").asText();
                    DefaultOrderCase.write(folder, id, one, known);
                    String at = folder.resolve("versions").resolve(id).toString();
                    String expected = one.path("found").asText();
                    if (expected.isEmpty()) {
                        assertThatThrownBy(() -> DefaultOrder.of(at, id, LocalFiles.INSTANCE))
                                .isInstanceOf(RankfeedException.class)
                                .hasMessageContaining("orders");
                    } else {
                        assertThat(DefaultOrder.of(at, id, LocalFiles.INSTANCE).plan())
                                .isEqualTo(DefaultOrderCase.idOf(known.get(expected)));
                    }
                }));
    }

    @Test
    void orderOfCommit_deleted_isNamed() throws IOException {
        commit(1, VERSION, Optional.of("0123456789abcdef"));
        assertThatThrownBy(this::found)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("0123456789abcdef")
                .hasMessageContaining(orders.folder().toString())
                .hasMessageContaining("another --run-id");
    }

    @Test
    void fileCalledAsAnOrder_namesNothing() throws IOException {
        String first = orders.write(1, VERSION);
        String second = orders.write(2, VERSION);
        commit(1, VERSION, Optional.of(first));
        orders.name(first, second);
        assertThat(found()).isEqualTo(first);
        assertThat(OrderName.read(first, version, path -> LocalFiles.INSTANCE).plan())
                .isEqualTo(first);
    }
}
