// SPDX-License-Identifier: MIT
// The picture: viewports with the same camera, lights, a floor, bones and a marker.
import { Box3, Color, DirectionalLight, HemisphereLight, Mesh, MeshBasicMaterial, PCFShadowMap, PerspectiveCamera, PlaneGeometry, Scene,
         ShadowMaterial, SkeletonHelper, SphereGeometry, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const FIELD = 28; // degrees
const FILL = 0.8; // of the viewport
const FROM = new Vector3(0.5, 0.2, 1).normalize();

/// A scene with the light that all pictures have.
export function litScene()
{
    const scene = new Scene();
    const key = new DirectionalLight(0xffffff, 2.2);
    scene.add(new HemisphereLight(0xffffff, 0xc8c4be, 1.9), key, key.target);
    scene.userData.key = key;
    return scene;
}

// Shadows reach a little further than the box.
function aimLight(key, box)
{
    const center = box.getCenter(new Vector3()), reach = Math.max(1e-3, 0.75 * box.getSize(new Vector3()).length());
    key.position.copy(center).addScaledVector(new Vector3(0.6, 1.2, 0.9).normalize(), 2 * reach);
    key.target.position.copy(center);
    Object.assign(key.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.2 * reach, far: 4 * reach });
    key.shadow.camera.updateProjectionMatrix();
    key.shadow.mapSize.set(1024, 1024);
    key.shadow.normalBias = 0.004 * reach;
    key.shadow.radius = 3;
    key.castShadow = true;
}

/// Where a camera has to look, and from how far, so that points fill a part of the picture.
/// @param points  numbers, three each
/// @param back    the direction to the camera
export function fit(points, aspect, back)
{
    const right = new Vector3(0, 1, 0).cross(back).normalize(), up = back.clone().cross(right);
    const tan = Math.tan(FIELD * Math.PI / 360), box = new Box3().setFromArray(points);
    const target = box.getCenter(new Vector3()), point = new Vector3();
    let distance = 0;
    // Perspective moves the middle of the picture; that converges fast.
    for (let pass = 0; pass < 4; ++pass)
    {
        distance = 0;
        const each = (act) =>
        {
            for (let i = 0; i < points.length; i += 3)
            {
                point.fromArray(points, i).sub(target);
                act(point.dot(right), point.dot(up), point.dot(back));
            }
        };
        each((x, y, z) => { distance = Math.max(distance, z + Math.max(Math.abs(y) / FILL, Math.abs(x) / aspect / 0.92) / tan); });
        const edges = [0, 0, 0, 0];
        each((x, y, z) =>
        {
            const depth = distance - z;
            edges[0] = Math.min(edges[0], x / depth);
            edges[1] = Math.max(edges[1], x / depth);
            edges[2] = Math.min(edges[2], y / depth);
            edges[3] = Math.max(edges[3], y / depth);
        });
        target.addScaledVector(right, 0.5 * distance * (edges[0] + edges[1])).addScaledVector(up, 0.5 * distance * (edges[2] + edges[3]));
    }
    return { target, distance };
}

class Viewport
{
    constructor()
    {
        this.scene = litScene();
        this.floor = new Mesh(new PlaneGeometry(1, 1).rotateX(-Math.PI / 2), new ShadowMaterial({ opacity: 0.16 }));
        this.floor.receiveShadow = true;
        this.marker = new Mesh(new SphereGeometry(1, 16, 12), new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.85 }));
        this.marker.renderOrder = 2;
        this.marker.visible = false;
        this.bones = null;
        this.scene.add(this.floor, this.marker);
    }

    show(root, color)
    {
        this.bones?.dispose();
        this.bones?.removeFromParent();
        this.bones = new SkeletonHelper(root);
        Object.assign(this.bones.material, { vertexColors: false, color: new Color(color), depthTest: false, toneMapped: false });
        this.bones.renderOrder = 1;
        this.bones.visible = false;
        this.scene.add(root, this.bones);
    }
}

export class Stage
{
    /// @param holder   the element that the canvas fills
    /// @param onChange called when the picture has to be drawn again
    constructor(canvas, holder, onChange)
    {
        this.holder = holder;
        this.onChange = onChange;
        this.renderer = new WebGLRenderer({ canvas, antialias: true });
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = PCFShadowMap;
        this.renderer.setScissorTest(true);
        this.viewports = [new Viewport(), new Viewport()];
        this.count = 2;
        this.accent = '#0b63c5';
        [this.main, this.crowd] = [this._camera(), this._camera()];
        this.isCrowd = false;
        new ResizeObserver(() => this.resize()).observe(holder);
    }

    _camera()
    {
        const camera = new PerspectiveCamera(FIELD, 1, 0.01, 100);
        const controls = new OrbitControls(camera, this.holder);
        controls.addEventListener('change', () => this.onChange());
        return { camera, controls };
    }

    /// Colors of the page.
    setTheme({ background, accent })
    {
        this.background = new Color(background);
        this.accent = accent;
        this.viewports.forEach(({ bones, marker }) =>
        {
            bones?.material.color.set(accent);
            marker.material.color.set(accent);
        });
        this.onChange();
    }

    resize()
    {
        const { clientWidth: width, clientHeight: height } = this.holder;
        this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
        this.renderer.setSize(width, height, false);
        this.onChange();
    }

    /// Show one viewport, the second, or both.
    setCount(count)
    {
        this.count = count;
        this.onChange();
    }

    setCrowd(isCrowd)
    {
        this.isCrowd = isCrowd;
        this.main.controls.enabled = !isCrowd;
        this.crowd.controls.enabled = isCrowd;
        this.onChange();
    }

    show(character)
    {
        character.views.forEach(({ root }, i) => this.viewports[i].show(root, this.accent));
        this.mark(() => null);
    }

    setBones(isOn)
    {
        this.viewports.forEach(({ bones }) => { bones !== null && (bones.visible = isOn); });
        this.onChange();
    }

    /// Put a marker where `locate` of a view says; null: none.
    mark(locate)
    {
        this.locate = locate;
        this.onChange();
    }

    _aspect()
    {
        const { clientWidth: width, clientHeight: height } = this.holder;
        return width / (this.isCrowd ? 1 : this.count) / Math.max(1, height);
    }

    /// Look from the front at a box and the points in it.
    frame(box, points)
    {
        this.box = box;
        const { camera, controls } = this.main, size = box.getSize(new Vector3()).length();
        camera.aspect = this._aspect();
        const { target, distance } = fit(points, camera.aspect, FROM);
        controls.target.copy(target);
        camera.position.copy(controls.target).addScaledVector(FROM, distance);
        Object.assign(camera, { near: Math.max(distance / 200, 1e-4 * size), far: distance + 20 * size });
        controls.minDistance = 0.02 * size;
        controls.maxDistance = 10 * size;
        controls.update();
        for (const { scene, floor, marker } of this.viewports)
        {
            aimLight(scene.userData.key, box);
            floor.position.set(controls.target.x, box.min.y, controls.target.z);
            floor.scale.setScalar(6 * size);
            marker.scale.setScalar(0.008 * size);
        }
        this.onChange();
    }

    /// Turn to a point, and come nearer.
    lookAt(point)
    {
        const { camera, controls } = this.main, size = this.box.getSize(new Vector3()).length();
        const back = camera.position.clone().sub(controls.target);
        controls.target.copy(point);
        camera.position.copy(point).add(back.setLength(Math.min(back.length(), 0.9 * size)));
        controls.update();
        this.onChange();
    }

    /// The viewport at a position of the window, and the ray through it.
    rayAt(raycaster, x, y)
    {
        const area = this.holder.getBoundingClientRect(), width = area.width / this.count;
        const k = this.count === 1 ? 1 : Math.min(1, Math.floor((x - area.left) / width));
        const left = this.count === 1 ? area.left : area.left + k * width;
        raycaster.setFromCamera({ x: 2 * (x - left) / width - 1, y: 1 - 2 * (y - area.top) / area.height }, this.main.camera);
        return k;
    }

    draw()
    {
        const { clientWidth: width, clientHeight: height } = this.holder, { camera } = this.main;
        camera.aspect = this._aspect();
        camera.updateProjectionMatrix();
        this.viewports.forEach(({ scene, marker }, i) =>
        {
            if (this.count === 1 && i === 0)
            {
                return;
            }
            const place = this.locate?.(i) ?? null;
            marker.visible = place !== null;
            place !== null && marker.position.copy(place);
            const left = this.count === 1 ? 0 : i * width / 2, wide = width / this.count;
            this.renderer.setViewport(left, 0, wide, height);
            this.renderer.setScissor(left, 0, wide, height);
            scene.background = this.background;
            this.renderer.render(scene, camera);
        });
    }

    /// Draw a scene over the whole canvas with the camera of the crowd.
    drawWhole(scene)
    {
        const { clientWidth: width, clientHeight: height } = this.holder, { camera } = this.crowd;
        camera.aspect = this._aspect();
        camera.updateProjectionMatrix();
        this.renderer.setViewport(0, 0, width, height);
        this.renderer.setScissor(0, 0, width, height);
        scene.background = this.background;
        this.renderer.render(scene, camera);
    }
}
