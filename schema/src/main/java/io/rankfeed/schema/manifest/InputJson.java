package io.rankfeed.schema.manifest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.manifest.Input.ArtifactInput;
import io.rankfeed.schema.manifest.Input.DeltaInput;
import io.rankfeed.schema.manifest.Input.ExternalInput;
import io.rankfeed.schema.manifest.Input.FileFormat;
import io.rankfeed.schema.manifest.Input.FolderInput;
import io.rankfeed.schema.manifest.Input.HiveInput;
import io.rankfeed.schema.manifest.Input.InputFile;
import io.rankfeed.schema.manifest.Input.OrderInput;
import io.rankfeed.schema.manifest.Input.SelectionInput;
import java.util.List;

/** The members of {@code inputs} (docs/format/manifest.md, section 2). */
final class InputJson {
    private InputJson() {}

    static ArrayNode toJson(List<Input> inputs) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        inputs.forEach(input -> write(input, array.addObject().put("kind", input.kind())));
        return array;
    }

    private static void write(Input input, ObjectNode object) {
        if (input instanceof FolderInput folder) {
            writeFiles(folder.files(), object.put("name", folder.name()));
        } else if (input instanceof HiveInput hive) {
            writeFiles(hive.files(), object.put("name", hive.name()).put("table", hive.table()));
        } else if (input instanceof DeltaInput delta) {
            object.put("name", delta.name()).put("version", delta.version()).put("table", delta.table());
        } else if (input instanceof ArtifactInput artifact) {
            object.put("id", artifact.id()).put("sha256", artifact.sha256());
        } else if (input instanceof OrderInput order) {
            object.put("id", order.id()).put("sha256", order.sha256());
        } else if (input instanceof ExternalInput external) {
            object.put("name", external.name()).put("format", external.format()).put("sha256", external.sha256());
        } else if (input instanceof SelectionInput selection) {
            object.put("sha256", selection.sha256());
        }
    }

    private static void writeFiles(List<InputFile> files, ObjectNode object) {
        ArrayNode array = object.putArray("files");
        files.forEach(file -> array.addObject()
                .put("path", file.path())
                .put("bytes", file.bytes())
                .put("sha256", file.sha256()));
    }

    static Input fromJson(JsonObject object) {
        String kind = object.text("kind");
        return switch (kind) {
            case "parquet" -> folder(FileFormat.PARQUET, object);
            case "jsonl" -> folder(FileFormat.JSONL, object);
            case "binary" -> folder(FileFormat.BINARY, object);
            case "petastorm" -> folder(FileFormat.PETASTORM, object);
            case "text" -> folder(FileFormat.TEXT, object);
            case "orc" -> folder(FileFormat.ORC, object);
            case "avro" -> folder(FileFormat.AVRO, object);
            case "csv" -> folder(FileFormat.CSV, object);
            case "arrow" -> folder(FileFormat.ARROW, object);
            case "webdataset" -> folder(FileFormat.WEBDATASET, object);
            case "tfrecord" -> folder(FileFormat.TFRECORD, object);
            case "huggingface" -> folder(FileFormat.HUGGINGFACE, object);
            case "mds" -> folder(FileFormat.MDS, object);
            case "lmdb" -> folder(FileFormat.LMDB, object);
            case "hive" -> {
                object.only("kind", "name", "table", "files");
                yield new HiveInput(object.text("name"), object.text("table"), files(object));
            }
            case "delta" -> {
                object.only("kind", "name", "version", "table");
                yield new DeltaInput(
                        object.text("name"), object.integer("version", 0, Long.MAX_VALUE), object.text("table"));
            }
            case "external" -> {
                object.only("kind", "name", "format", "sha256");
                yield new ExternalInput(object.text("name"), object.text("format"), ManifestJson.sha256(object));
            }
            case "prepared" -> artifact(ArtifactFormat.PREPARED, object);
            case "plan" -> artifact(ArtifactFormat.PLAN, object);
            case "version" -> artifact(ArtifactFormat.VERSION, object);
            case "order" -> {
                object.only("kind", "id", "sha256");
                yield new OrderInput(object.text("id"), ManifestJson.sha256(object));
            }
            case "selection" -> {
                object.only("kind", "sha256");
                yield new SelectionInput(ManifestJson.sha256(object));
            }
            default -> throw object.damage("kind", "'" + kind + "' is unknown");
        };
    }

    private static Input folder(FileFormat format, JsonObject object) {
        object.only("kind", "name", "files");
        return new FolderInput(format, object.text("name"), files(object));
    }

    private static Input artifact(ArtifactFormat format, JsonObject object) {
        object.only("kind", "id", "sha256");
        return new ArtifactInput(format, object.text("id"), ManifestJson.sha256(object));
    }

    private static List<InputFile> files(JsonObject object) {
        return object.objects("files").stream()
                .map(file -> {
                    file.only("path", "bytes", "sha256");
                    return new InputFile(
                            file.text("path"), file.integer("bytes", 0, Long.MAX_VALUE), ManifestJson.sha256(file));
                })
                .toList();
    }
}
